import type { WorkflowHandle } from '@temporalio/client';
import type { Overlap } from '#src/domain/targets/definitions.js';
import type { SuiteRun } from '#src/domain/runs/run.js';
import { randomId } from '#src/domain/ids.js';
import { startRun } from '#src/temporal/start-run.js';
import { signalSuiteLine } from '#src/temporal/signal-suite-line.js';
import { lineOf, workflowQueue, type RunResult } from '#workflows/messages.js';
import { aSuiteDefinition, aSuiteRun } from '#test/builders/run.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';
import { suiteTests } from '#test/builders/suite-test.js';
import type { WorkflowEnvironment } from './environment.js';
import { stubActivities, suiteOf, type Journal } from './stub-activities.js';

/** Five runs of a suite, triggered one after the other while the first is held. */
export interface EndedLine {
  /** The workflow of the line. */
  handle: WorkflowHandle;
  journal: Journal;
  runs: SuiteRun[];
  /** How each ended; undefined: stopped. */
  results: (RunResult | undefined)[];
  /** Run ids in the order in which they started. */
  begun: string[];
  /** Maximum of concurrent runs. */
  most: number;
}

interface LineOptions {
  overlap: Exclude<Overlap, 'allow'>;
  /** The order in which the five workflows start, which can differ from that of their triggers. */
  startOrder?: number[];
  /** While the first is held. */
  meanwhile?: (line: { handle: WorkflowHandle; runs: SuiteRun[]; journal: Journal }) => Promise<unknown>;
}

async function runLine({ temporal, withWorkers }: WorkflowEnvironment, options: LineOptions): Promise<EndedLine> {
  const { overlap, startOrder = [0, 1, 2, 3, 4] } = options;
  const targetId = randomId();
  const queue = workflowQueue(temporal.installationId);
  const now = Date.now();
  const runs = startOrder.map((_, index) =>
    aSuiteRun({ targetId, queuedAt: new Date(now + index), definition: aSuiteDefinition({ overlap }) }),
  );
  const over = new Set<string>();
  const begun: string[] = [];
  let most = 0;
  const allAsked = gate();
  const tests = new Map(runs.map((run) => [run._id, suiteTests(1)]));

  const { activities, journal } = stubActivities({
    // As the records would show: earlier runs that are not over.
    async joinLine({ runId }) {
      const run = runs.find(({ _id }) => _id === runId)!;
      const earlier = runs
        .filter(({ _id, queuedAt }) => queuedAt < run.queuedAt && !over.has(_id))
        .map(({ _id, queuedAt }) => ({ runId: _id, queuedAt: queuedAt.getTime() }))
        .reverse();
      await signalSuiteLine(temporal, queue, targetId, { runId, queuedAt: run.queuedAt.getTime(), overlap, earlier });
    },
    async expandSuite({ runId }) {
      begun.push(runId);
      most = Math.max(most, begun.filter((id) => !over.has(id)).length);
      await allAsked.opened;
      return { total: 1, over: false };
    },
    listSuiteTests: async ({ runId }) => tests.get(runId)!,
    async finishSuite({ runId, ...input }) {
      over.add(runId);
      return input.end ? { status: input.end.status } : suiteOf([]).finishSuite({ runId, ...input });
    },
    endedRuns: async ({ runIds }) =>
      runIds.filter((runId) => over.has(runId)).map((runId) => ({ runId, status: 'passed' as const })),
  });

  const handle = temporal.client.workflow.getHandle(lineOf(queue, targetId));
  const results = await withWorkers(activities, async () => {
    for (const index of startOrder) await startRun(temporal, runs[index]!);
    await eventually(() => journal.inputs('joinLine').length >= runs.length || undefined);
    await options.meanwhile?.({ handle, runs, journal });
    allAsked.open();
    const all = runs.map(({ _id }) => temporal.client.workflow.getHandle(_id).result() as Promise<RunResult>);
    const ends = await Promise.all(all.map((result) => result.catch(() => undefined)));
    await handle.result();
    return ends;
  });
  return { handle, journal, runs, results, begun, most };
}

/** Cases of a suite's line, also recorded as histories (scripts/record-histories.mjs). */
export const suiteLineCases = {
  /** Their workflows do not start in the order of their triggers. */
  queue: (environment) => runLine(environment, { overlap: 'queue', startOrder: [3, 1, 4, 0, 2] }),

  skip: (environment) => runLine(environment, { overlap: 'skip', startOrder: [2, 0, 4, 1, 3] }),

  'stop-previous': (environment) => runLine(environment, { overlap: 'stop-previous' }),

  /** The next run is stopped while it waits. */
  'stopped-while-waiting': (environment) =>
    runLine(environment, {
      overlap: 'queue',
      async meanwhile({ runs }) {
        const waiting = environment.temporal.client.workflow.getHandle(runs[1]!._id);
        await waiting.cancel();
        await waiting.result().catch(() => {});
      },
    }),
} satisfies Record<string, (environment: WorkflowEnvironment) => Promise<EndedLine>>;
