import { expect } from 'chai';
import type { Run } from '#src/domain/runs/run.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { flood } from '#test/support/servers/flood.js';
import { endedRun, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const SLOTS = 2;
const FLOOD = 100;

const FLOODING = `
project: Flood
tests:
  - { name: Half a second, command: [sleep, "0.5"] }
suites:
  - { name: Urgent, tests: [Half a second], priority: 1 }
`;
const OTHER = 'project: Other\ntests:\n  - { name: Quick, command: ["true"] }\n';

/** Waiting is measured in runs of the flood that start meanwhile: that does not depend on the machine. */
describe('a flood of runs', function () {
  this.timeout(60_000);
  let stack: TestStack;
  let flooding: ImportedProject;
  let other: ImportedProject;

  before(async function () {
    this.timeout(600_000);
    stack = await startStack({ workerEnv: { RUNHOOK_SLOTS: String(SLOTS) } });
    flooding = await stack.importText(FLOODING);
    other = await stack.importText(OTHER);
    await flood(webhookUrl(stack, flooding, 'tests', 'Half a second'), FLOOD);
    await eventually(async () => (await countFlood({ endedAt: { $exists: true } })) >= 4 || undefined, 60_000);
  });
  after(() => stack?.stop());

  function countFlood(which: object): Promise<number> {
    const { projectId, tests } = flooding;
    const targetId = tests['Half a second']!;
    return stack.collections.runs.countDocuments({ projectId, targetId, suiteRunId: { $exists: false }, ...which });
  }

  /** Runs of the flood that started between the acceptance of a run and its start. */
  const begunWhileWaiting = ({ queuedAt, startedAt }: Pick<Run, 'queuedAt' | 'startedAt'>) =>
    countFlood({ startedAt: { $gt: queuedAt, $lt: startedAt } });

  it("does not delay another project's run for longer than two tests take", async () => {
    const { id } = await trigger(webhookUrl(stack, other, 'tests', 'Quick'));
    const run = await endedRun(stack, id, 50_000);
    expect(run.status).to.equal('passed');
    expect(await begunWhileWaiting(run)).to.be.at.most(2 * SLOTS);
    expect(await countFlood({ status: 'queued' }), 'it was still a flood').to.be.above(10);
  });

  it('is overtaken by a suite of its own project with the highest priority', async () => {
    const { id } = await trigger(webhookUrl(stack, flooding, 'suites', 'Urgent'));
    const test = await eventually(
      async () => (await stack.collections.runs.findOne({ suiteRunId: id, startedAt: { $exists: true } })) ?? undefined,
      50_000,
    );
    expect(await countFlood({ status: 'queued' }), 'it was still a flood').to.be.above(10);
    const { raw } = await stack.temporal.workflow.getHandle(test._id).describe();
    expect(raw.workflowExecutionInfo?.priority).to.include({ priorityKey: 1, fairnessKey: flooding.projectId });
  });
});
