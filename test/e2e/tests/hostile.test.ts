import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { WorkerRecord } from '#src/domain/records.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { program } from '#test/fixtures/commands/support.js';
import { eventually } from '#test/support/eventually.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { endedRun, page, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const hostile = (...args: string[]) => JSON.stringify([process.execPath, program('hostile.mjs'), ...args]);
/** 2047 processes at most. */
const BOMB = JSON.stringify([
  'sh',
  '-c',
  'b() { if [ $1 -gt 0 ]; then b $(($1 - 1)) & b $(($1 - 1)) & fi; sleep 120; }; b 10',
]);

/** Each test misbehaves in its own way; the worker stays alive, says why the test was ended, and takes the next. */
describe('hostile tests over the whole stack', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let project: ImportedProject;
  let worker: WorkerRecord;

  before(async () => {
    stack = await startStack({
      workerEnv: { RUNHOOK_TEST_PROCESSES: '150', RUNHOOK_TEST_MEMORY_MIB: '400', RUNHOOK_SLOTS: '2' },
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
    it(`${name}: ${status}${message ? ', and why' : ''}; then the next test passes`, async () => {
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

  it('shows the means of the worker on its page', async () => {
    const means = worker.limits!;
    expect(means).to.match(/^(cgroup v[12]|watched|output and disk only)$/);
    expect(await page(stack, `${stack.baseUrl}/admin/workers`)).to.include(`limits: ${means}`);
  });
});
