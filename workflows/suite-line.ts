import {
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  makeContinueAsNewFunc,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { SuiteActivities } from '#activities/suite-expansion.js';
import type { Arrival, Turn } from './messages.js';
import { arrived, left, turn } from './signals.js';

const CHECK_AFTER_MS = 30_000;
/** Number of runs checked at a time, from the front: the others wait for these. */
const MAX_CHECKED = 50;

const { endedRuns } = proxyActivities<SuiteActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** A run in a suite's line. */
interface Place {
  runId: string;
  queuedAt: number;
  /** Absent: known only from a later run; its workflow has not requested its turn yet, or never will. */
  overlap?: Arrival['overlap'];
  hasBegun?: true;
  isStopped?: true;
}

/**
 * The line of a suite whose runs must not overlap: one workflow per suite, open while it has open runs.
 * It alone decides which runs start, are skipped or are stopped, in the order of arrival. Decisions are as durable
 * as the runs and do not depend on the number of servers and workers.
 * @param line set only at continue-as-new
 */
export async function suiteLine(suiteId: string, line: Place[] = []): Promise<void> {
  let hasChanged = false;
  setHandler(arrived, (arrival) => {
    hasChanged = true;
    join(line, arrival);
  });
  setHandler(left, (runId) => {
    hasChanged = true;
    leave(line, runId);
  });

  for (;;) {
    if (!(await condition(() => hasChanged, CHECK_AFTER_MS))) await removeEnded(line);
    hasChanged = false;
    const missing = await Promise.all(decide(line).map(send));
    for (const runId of missing) if (runId && leave(line, runId)) hasChanged = true;
    if (hasChanged) continue;
    if (line.length === 0) return;
    const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
    // It can be open for days and must not prevent an old worker version from draining.
    if (targetWorkerDeploymentVersionChanged) {
      const onCurrentVersion = { initialVersioningBehavior: 'AUTO_UPGRADE' } as const;
      await makeContinueAsNewFunc<typeof suiteLine>(onCurrentVersion)(suiteId, line);
    }
    if (continueAsNewSuggested) await continueAsNew<typeof suiteLine>(suiteId, line);
  }
}

/** The decision about a run in the line. */
interface Decision {
  runId: string;
  say: Turn | 'stop';
}

/** Records decisions in the line, so that none is repeated. Changes nothing but the line. */
export function decide(line: Place[]): Decision[] {
  const decisions: Decision[] = [];
  const kept: Place[] = [];
  /** Number of entries of `kept` that are known to be stopped, so that none is checked twice. */
  let stopped = 0;
  for (const place of line) {
    if (place.overlap === 'skip' && !place.hasBegun && kept.length > 0) {
      decisions.push({ runId: place.runId, say: { decision: 'skip', behind: kept[0]!.runId } });
      continue;
    }
    if (place.overlap === 'stop-previous') {
      for (; stopped < kept.length; stopped++) {
        const earlier = kept[stopped]!;
        if (earlier.isStopped) continue;
        earlier.isStopped = true;
        decisions.push({ runId: earlier.runId, say: 'stop' });
      }
    }
    kept.push(place);
  }
  line.splice(0, line.length, ...kept);
  const [first] = line;
  if (first?.overlap && !first.hasBegun && !first.isStopped) {
    first.hasBegun = true;
    decisions.push({ runId: first.runId, say: { decision: 'begin' } });
  }
  return decisions;
}

/** @returns the run's id if its workflow no longer exists */
async function send({ runId, say }: Decision): Promise<string | undefined> {
  const run = getExternalWorkflowHandle(runId);
  try {
    await (say === 'stop' ? run.cancel() : run.signal(turn, say));
    return undefined;
  } catch {
    // A run to be stopped may not have a workflow yet: it is stopped when it arrives.
    return say === 'stop' ? undefined : runId;
  }
}

/** A run requests its turn, possibly again. */
export function join(line: Place[], { runId, queuedAt, overlap, earlier }: Arrival): void {
  const present = new Set(line.map((place) => place.runId));
  line.push(...earlier.filter((one) => !present.has(one.runId)));
  const known = line.find((place) => place.runId === runId);
  if (!known) line.push({ runId, queuedAt, overlap });
  else {
    known.overlap = overlap;
    // The decision was sent too early or lost with an earlier line.
    delete known.isStopped;
  }
  line.sort((a, b) => order(a) - order(b) || a.queuedAt - b.queuedAt || (a.runId < b.runId ? -1 : 1));
}

const order = ({ hasBegun }: Place) => (hasBegun ? 0 : 1);

/** @returns whether it was in the line */
export function leave(line: Place[], runId: string): boolean {
  const index = line.findIndex((place) => place.runId === runId);
  if (index >= 0) line.splice(index, 1);
  return index >= 0;
}

/** Runs that ended without reporting: terminated, never started, or from when the suite's runs could overlap. */
async function removeEnded(line: Place[]): Promise<void> {
  const runIds = line.slice(0, MAX_CHECKED).map(({ runId }) => runId);
  if (runIds.length === 0) return;
  for (const { runId } of await endedRuns({ runIds })) leave(line, runId);
}
