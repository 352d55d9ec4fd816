import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { runnablePages } from '#test/support/docs/runnable.js';
import { addApiToken, addPerson } from '#test/support/people.js';
import { startStack, webhookUrl, type TestStack } from '#test/support/stack.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/src/bin/runhook.js', import.meta.url));
const PAGES = await runnablePages();

/** For `runhook apply` of the documentation. */
const FILE = 'project: Applied\ntests:\n  - { name: Good, command: ["true"], cwd: /tmp }\n';

describe('runnable commands of the documentation', function () {
  this.timeout(120_000);
  let stack: TestStack;
  let project: ImportedProject;
  let folder: string;
  let token: string;

  before(async () => {
    stack = await startStack();
    project = await stack.importText(
      'project: Demo\ntests:\n  - { name: Good, command: ["true"] }\nsuites:\n  - { name: Smoke, tests: [Good] }\n',
    );
    const editor = await addPerson(stack.collections, { roles: { [project.projectId]: 'editor' } });
    token = await addApiToken(stack.collections, { userId: editor.userId });
    folder = join(stack.folder, 'shell');
    await mkdir(join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'bin/runhook'), `#!/bin/sh\nexec node ${PROGRAM} "$@"\n`);
    await chmod(join(folder, 'bin/runhook'), 0o755);
    // A refused request is a failed command.
    await writeFile(join(folder, '.curlrc'), 'fail\nsilent\nshow-error\n');
    await writeFile(join(folder, 'runhook.yaml'), FILE);
    await mkdir(join(folder, '.runhook'));
    const demo = { webhookToken: project.webhookToken, tests: project.tests, suites: project.suites };
    await writeFile(join(folder, '.runhook/stack.json'), JSON.stringify({ baseUrl: stack.baseUrl, demo }));
  });

  after(() => stack?.stop());

  it('are on these pages', () => {
    expect(PAGES.map(({ name }) => name)).to.include.members(['README.md', 'webhook.md', 'api.md', 'cli.md']);
  });

  for (const { name, script } of PAGES)
    it(`succeed: ${name}`, async () => {
      const { code, out, err } = await shell(script);
      expect(code, `${out}\n${err}`).to.equal(0);
      expect(out).not.to.equal('');
    });

  /** Like a terminal with the variables that the page mentions; the first failing command ends it. */
  function shell(script: string): Promise<{ code: number; out: string; err: string }> {
    const env = {
      PATH: `${folder}/bin:${process.env.PATH}`,
      HOME: folder,
      RUNHOOK_URL: stack.baseUrl,
      RUNHOOK_API_TOKEN: token,
      RUNHOOK_PROJECT: project.projectId,
      PROJECT: project.projectId,
      TEST: project.tests.Good!,
      TEST_NAME: 'Good',
      SUITE_NAME: 'Smoke',
      WEBHOOK_URL: webhookUrl(stack, project, 'tests', 'Good'),
      CI_PIPELINE_ID: '4711',
    };
    return new Promise((resolve) =>
      execFile('sh', ['-e', '-c', script], { cwd: folder, env }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      ),
    );
  }
});
