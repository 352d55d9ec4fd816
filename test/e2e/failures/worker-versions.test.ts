import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { expect } from 'chai';
import { findTemporal } from '#tools/stack/servers/find-temporal.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { nodeProcess, type NodeProcess } from '#test/support/processes/node-process.js';
import { runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NEXT_WORKFLOWS = `${ROOT}test/fixtures/next-workflows/index.ts`;
/** How long its workflows sleep, in ms. They have other timers too. */
const DIFFERENCE_MS = 50;

/** A copy of the build with other workflows, like the next release. @returns path of its worker program */
async function nextRelease(folder: string): Promise<string> {
  await cp(`${ROOT}dist`, join(folder, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'package.json']) await symlink(ROOT + name, join(folder, name));
  const { code } = await bundleWorkflowCode({ workflowsPath: NEXT_WORKFLOWS, logger: new DefaultLogger('ERROR') });
  await writeFile(join(folder, 'dist/workflow-bundle.js'), code);
  return join(folder, 'dist/src/bin/worker.js');
}

describe('two versions of the workers', () => {
  let stack: TestStack;
  let project: ImportedProject;
  let cli: string;
  let next: NodeProcess;

  before(async function () {
    this.timeout(120_000);
    const found = await findTemporal(() => {}, { ...process.env, TEMPORAL_ADDRESS: undefined });
    cli = found.kind === 'binary' ? found.path : '';
    stack = await startStack({ workerEnv: { RUNHOOK_BUILD_ID: '1', RUNHOOK_SLOTS: '4' } });
    const release = await nextRelease(join(stack.folder, 'next'));
    next = nodeProcess(release, '"worker ready"', { ...stack.workerEnv, RUNHOOK_BUILD_ID: '2' });
    project = await stack.importText(`
project: Versions
tests:
  - { name: Green, command: [sleep, '0.2'] }
  - { name: Red, command: [sh, -c, 'sleep 0.2; exit 1'] }
  - { name: Held, command: [sh, -c, 'until [ -e ${join(stack.folder, 'go')} ]; do sleep 0.2; done'] }
suites:
  - { name: All, tests: [Green, Held, Red, Green, Red, Green], parallelism: 2 }
`);
  });
  after(async () => {
    await next?.kill('SIGTERM');
    await stack?.stop();
  });

  const deployment = async (...args: string[]) =>
    (await promisify(execFile)(cli, ['worker', 'deployment', ...args, '--address', stack.temporalAddress])).stdout;
  const setCurrent = (buildId: string) =>
    // Refused until the version's workers have polled.
    eventually(
      () => deployment('set-current-version', '--deployment-name', 'runhook', '--build-id', buildId, '--yes'),
      20_000,
    );
  const start = async (kind: 'tests' | 'suites', name: string) =>
    (await trigger(webhookUrl(stack, project, kind, name))).id;
  const mixed = async () => [
    await start('suites', 'All'),
    await start('tests', 'Green'),
    await start('tests', 'Red'),
    await start('tests', 'Held'),
  ];
  /** The version of a run's workflow, from its history. */
  const workflowOf = async (id: string) => {
    const handle = stack.temporal.workflow.getHandle(id);
    const { raw } = await handle.describe();
    const { events } = await handle.fetchHistory();
    return {
      buildId: raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId,
      sleptFirst: events!.some(
        ({ timerStartedEventAttributes: timer }) => timer && tsToMs(timer.startToFireTimeout) === DIFFERENCE_MS,
      ),
      failedTasks: events!.filter((event) => event.workflowTaskFailedEventAttributes).length,
    };
  };

  it('share the load: a run ends on the version on which it started, with the right verdict', async () => {
    await setCurrent('1');
    const before = [...(await mixed()), ...(await mixed())];
    await runWithStatus(stack, before[0]!, 'running');
    await next.start();
    await setCurrent('2');
    // Temporal's task queues receive the change a moment later.
    await eventually(async () => {
      const id = await start('tests', 'Green');
      await runWithStatus(stack, id, 'passed');
      return (await workflowOf(id)).buildId === '2' || undefined;
    }, 30_000);
    const after = [...(await mixed()), ...(await mixed())];
    // Released only now, so that the earlier runs are in progress while the version changes.
    await writeFile(join(stack.folder, 'go'), '');

    const all = [...before, ...after];
    const runs = await eventually(async () => {
      const found = await stack.collections.runs
        .find({ $or: [{ _id: { $in: all } }, { suiteRunId: { $in: all } }] })
        .toArray();
      return found.every((run) => isTerminal(run.status)) ? found : undefined;
    }, 45_000);
    expect(runs).to.have.length(all.length + 4 * 6);
    const verdicts = { All: 'failed', Red: 'failed', Green: 'passed', Held: 'passed' };
    for (const run of runs) expect(run.status, run.targetName).to.equal(verdicts[run.targetName as 'All']);

    for (const run of runs) {
      const parent = run.kind === 'test' ? (run.suiteRunId ?? run._id) : run._id;
      const isNew = after.includes(parent);
      expect(await workflowOf(run._id), `${run.kind} ${run.targetName} ${isNew ? 'after' : 'before'}`).to.deep.equal({
        buildId: isNew ? '2' : '1',
        sleptFirst: isNew,
        failedTasks: 0,
      });
    }
    for (const worker of [stack.worker, next]) {
      expect(worker.output).to.match(/"buildId":"[12]".*worker ready/);
      expect(worker.output).not.to.match(/nondeterminism|TMPRL1100|DeterminismViolation/i);
    }

    const left = 'TemporalWorkerDeploymentVersion = "runhook:1" AND ExecutionStatus = "Running"';
    await eventually(async () => ((await stack.temporal.workflow.count(left)).count === 0 ? true : undefined));
    expect(await stack.worker.kill('SIGTERM')).to.equal(0);
    const last = await start('tests', 'Green');
    await runWithStatus(stack, last, 'passed');
  }).timeout(90_000);
});
