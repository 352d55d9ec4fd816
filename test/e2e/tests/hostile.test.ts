import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { WorkerRecord } from '#src/domain/records.js';
import { randomId } from '#src/domain/ids.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { program } from '#test/fixtures/commands/support.js';
import { pathWithBubblewrap } from '#test/support/debian/bubblewrap.js';
import { eventually } from '#test/support/eventually.js';
import { addPerson } from '#test/support/people.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { apiClient } from '#test/support/servers/api-client.js';
import { endedRun, page, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const hostile = (...args: string[]) => JSON.stringify([process.execPath, program('hostile.mjs'), ...args]);
/** At most 2047 processes. */
const BOMB = JSON.stringify([
  'sh',
  '-c',
  'b() { if [ $1 -gt 0 ]; then b $(($1 - 1)) & b $(($1 - 1)) & fi; sleep 120; }; b 10',
]);

/** Each test misbehaves in its own way; the worker survives, reports why the test was ended, and runs the next one. */
describe('hostile tests in the whole stack', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let project: ImportedProject;
  let worker: WorkerRecord;

  before(async () => {
    stack = await startStack({
      workerEnv: {
        RUNHOOK_TEST_PROCESSES: '150',
        RUNHOOK_TEST_MEMORY_MIB: '400',
        RUNHOOK_SLOTS: '2',
        RUNHOOK_ISOLATION: 'namespaces',
        RUNHOOK_TOOL_FOLDERS: dirname(program('hostile.mjs')),
        PATH: await pathWithBubblewrap(() => {}),
      },
    });
    await mkdir(join(stack.folder, 'filler'));
    project = await stack.importText(`
project: Hostile
tests:
  - {name: Fine, command: ['true'], limits: {diskMiB: 100}}
  - {name: Bomb, command: ${BOMB}, limits: {processes: 5000}}
  - {name: Hog, command: ${hostile('memory-hog', '2000')}}
  - {name: Endless, command: ['yes'], limits: {outputMiB: 16}}
  - {name: Zip bomb, command: ${hostile('repetitive-output')}, limits: {outputMiB: 64}}
  - {name: Long line, command: ${hostile('long-line')}}
  - {name: Filler, command: ${hostile('disk-filler', '800')}, cwd: filler, limits: {diskMiB: 100}}
  - {name: Sleeper, command: [sleep, '60']}
  - {name: Control characters, command: ${hostile('control-characters')}}
`);
    worker = await eventually(
      async () => (await stack.collections.workers.findOne({ pid: stack.worker.pid })) ?? undefined,
    );
  });
  after(() => stack?.stop());

  const ends: [name: string, status: string, message: RegExp | undefined][] = [
    ['Bomb', 'error', /more than 150 processes.*RUNHOOK_TEST_PROCESSES/],
    ['Hog', 'error', /more than 400 MiB of memory.*RUNHOOK_TEST_MEMORY_MIB/],
    ['Endless', 'error', /printed more than 16 MiB.*limits\.outputMiB/],
    ['Zip bomb', 'error', /printed more than 64 MiB/],
    ['Filler', 'error', /wrote more than 100 MiB to its working folder/],
    ['Long line', 'passed', undefined],
    ['Control characters', 'passed', undefined],
  ];
  for (const [name, status, message] of ends)
    it(`${name}: ${status}${message ? ', with the reason' : ''}; then the next test passes`, async () => {
      const { id } = await trigger(webhookUrl(stack, project, 'tests', name));
      const run = await endedRun(stack, id, 60_000);
      expect(run.status).to.equal(status);
      if (message) {
        expect(run).to.include({ errorCode: 'LIMIT_EXCEEDED' });
        expect(run.errorMessage).to.match(message);
      }
      expect(run.attempts[0]!.verdict!.limits).to.match(/memory 400 MiB, 150 processes/);
      await page(stack, `${stack.baseUrl}/runs/${id}`);
      expect(processesWith(worker._id)).to.deep.equal([]);

      const next = await trigger(webhookUrl(stack, project, 'tests', 'Fine'));
      expect((await endedRun(stack, next.id)).status).to.equal('passed');
      expect(stack.worker.pid).to.equal(worker.pid);
    });

  it('a viewer who creates a project of their own reads no keys, no database, no other project', async () => {
    const viewer = await addPerson(stack.collections, { roles: { [project.projectId]: 'viewer' } });
    const call = apiClient(stack.baseUrl, viewer.apiToken);
    const others = randomId();
    const admin = apiClient(stack.baseUrl, stack.admin.apiToken);
    const variables = [{ key: 'OTHERS_SECRET', value: others, isSecret: true }];
    const sleeper = await admin('POST', '/testruns/', { testId: project.tests.Sleeper, variables });
    await eventually(async () => processesWith(others).length > 0 || undefined);

    const { id: projectId } = (await call('POST', '/projects/', { name: 'Takeover' })).body;
    const script = 'cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n" | rev; cat "$1"/*/*; ls -d /proc/[0-9]*';
    const command = ['sh', '-c', script, 'sh', join(stack.folder, 'work')];
    const test = await call('POST', `/projects/${projectId}/tests/`, {
      name: 'Takeover',
      runner: 'command',
      command,
      cwd: join(stack.folder, 'filler'),
    });
    expect(test.status, JSON.stringify(test.body)).to.equal(201);
    const { id } = (await call('POST', '/testruns/', { testId: test.body.id })).body;
    const run = await endedRun(stack, id);
    const lines = await stack.collections.runLogs.find({ runId: id }).toArray();
    const text = JSON.stringify(lines);
    const reversed = (value: string) => [...value].reverse().join('');
    expect(lines, 'the test has printed something').to.not.be.empty;
    expect(run.attempts[0]!.verdict!.isolation).to.equal('namespaces');
    for (const secret of [stack.workerEnv.RUNHOOK_SECRET_KEYS!, stack.workerEnv.MONGODB_URL!, others])
      for (const shown of [secret, reversed(secret)]) expect(text).to.not.include(shown);
    await admin('POST', `/testruns/${sleeper.body.id}/stop/`);
    await endedRun(stack, sleeper.body.id as string);
  });

  it("shows the worker's limit mechanism on its page", async () => {
    const means = worker.limits!;
    expect(means).to.match(/^(cgroup v[12]|watched|output and disk only)$/);
    expect(await page(stack, `${stack.baseUrl}/admin/workers`))
      .to.include(`limits: ${means}`)
      .and.include('isolation: namespaces');
  });
});
