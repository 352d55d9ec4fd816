import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { addApiToken } from '#test/support/people.js';
import { endedRun, page, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const PROGRAM = fileURLToPath(new URL('../../../dist/src/bin/runhook.js', import.meta.url));

/** A second attempt follows when the first has failed; the report is large enough for two chunks. */
const REPORTING = `
mkdir -p out/report/data out/.hidden
echo "<h1>Report</h1><script src=data/a.js></script>" > out/report/index.html
head -c 700000 /dev/zero > out/report/data/a.js
head -c 3000000 /dev/zero > out/large.bin
echo secret > out/.hidden/a
ln -sf /etc/hostname out/report/stolen.txt
mkfifo out/report/pipe 2>/dev/null
[ -e out/again ] && echo passed now && exit 0
touch out/again
exit 1`;

describe('artifacts in the whole stack', function () {
  this.timeout(120_000);
  let stack: TestStack;
  let project: ImportedProject;

  before(async function () {
    this.timeout(600_000);
    stack = await startStack({ workerEnv: { RUNHOOK_ARTIFACT_FILE_MIB: '2' } });
    project = await stack.importText(`
project: Demo
tests:
  - name: Reports
    command: [sh, -c, ${JSON.stringify(REPORTING)}]
    retries: 1
    artifacts: [out/report, "out/*.bin"]
`);
  });
  after(() => stack?.stop());

  async function command(...args: string[]) {
    const token = await addApiToken(stack.collections, { projectId: project.projectId });
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: stack.folder,
      env: { PATH: process.env.PATH, HOME: stack.folder, RUNHOOK_URL: stack.baseUrl, RUNHOOK_API_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    const [code] = await once(child, 'close');
    return { code: code as number, ...said };
  }

  it('are stored for each attempt, shown, opened and downloaded', async () => {
    const { id, webapp_url } = await trigger(webhookUrl(stack, project, 'tests', 'Reports'));
    const run = await endedRun(stack, id, 40_000);
    expect(run.status).to.equal('passed');
    const [first, second] = run.attempts.map(({ verdict }) => verdict!);
    for (const verdict of [first!, second!])
      expect(verdict.notes).to.deep.equal([
        'The file out/large.bin was not saved: it is larger than 2 MiB, the maximum size of a file (RUNHOOK_ARTIFACT_FILE_MIB of the worker).',
      ]);
    const files = await stack.collections.artifactFiles.find({ 'metadata.runId': id }).toArray();
    expect(files.map(({ filename, length, metadata }) => [metadata.attempt, filename, length]).sort()).to.deep.equal([
      [1, 'out/report/data/a.js', 700_000],
      [1, 'out/report/index.html', 47],
      [2, 'out/report/data/a.js', 700_000],
      [2, 'out/report/index.html', 47],
    ]);
    const log = await stack.collections.runLogs.find({ runId: id, stream: 'system' }).toArray();
    expect(log.map(({ text }) => text).join()).to.include('The file out/large.bin was not saved');

    const shown = await page(stack, webapp_url);
    expect(shown).to.include('Open report out/report/index.html').and.include(files[0]!.metadata.sha256!);
    const opened = /href="(\/runs\/[^"]*\/report\/[^"]*)"/.exec(shown)![1]!;
    const src = /<iframe[^>]* src="([^"]*)"/.exec(await page(stack, `${stack.baseUrl}${opened}`))![1]!;
    const report = await fetch(`${stack.baseUrl}${src}`);
    expect([report.status, report.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(await report.text()).to.include('<h1>Report</h1>');

    const saved = await command('run', 'artifacts', id, '--output', 'saved');
    expect(saved.code, saved.err).to.equal(0);
    const folder = join(stack.folder, 'saved/out/report');
    expect((await readdir(folder, { recursive: true })).sort()).to.deep.equal(['data', 'data/a.js', 'index.html']);
    expect((await readFile(join(folder, 'data/a.js'))).equals(Buffer.alloc(700_000))).to.be.true;
  });
});
