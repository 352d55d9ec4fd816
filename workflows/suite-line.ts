import {
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  makeContinueAsNewFunc,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { SuiteActivities } from '../activities/suite-expansion.js';
import type { Arrival, Turn } from './messages.js';
import { arrived, left, turn } from './signals.js';

const LOOK_AFTER_MS = 30_000;
/** Runs looked after at a time: those in front are what the others wait for. */
const LOOKED_AFTER = 50;

const { endedRuns } = proxyActivities<SuiteActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** A run in a suite's line. */
interface Place {
  runId: string;
  queuedAt: number;
  /** Absent: known from one that came after it; its workflow has not asked yet, or never will. */
  overlap?: Arrival['overlap'];
  hasBegun?: true;
  isStopped?: true;
}

/**
 * The line of a suite whose runs must not overlap: one workflow for each such suite, there while it has open runs.
 * It alone decides who begins, who is skipped and who is stopped, in the order of arrival; so the decision is as durable
 * as the runs, and the same however many servers and workers there are.
 * @param line given by itself only
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
    if (!(await condition(() => hasChanged, LOOK_AFTER_MS))) await lookAfter(line);
    hasChanged = false;
    const gone = await Promise.all(decide(line).map(tell));
    for (const runId of gone) if (runId && leave(line, runId)) hasChanged = true;
    if (hasChanged) continue;
    if (line.length === 0) return;
    const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
    // It may live for days: it must not keep an old version of the workers from draining.
    if (targetWorkerDeploymentVersionChanged) {
      const onCurrentVersion = { initialVersioningBehavior: 'AUTO_UPGRADE' } as const;
      await makeContinueAsNewFunc<typeof suiteLine>(onCurrentVersion)(suiteId, line);
    }
    if (continueAsNewSuggested) await continueAsNew<typeof suiteLine>(suiteId, line);
  }
}

/** What a run in the line is told. */
interface Decision {
  runId: string;
  say: Turn | 'stop';
}

/** Notes in the line what is decided, so that nothing is said twice. Pure but for the line. */
export function decide(line: Place[]): Decision[] {
  const decisions: Decision[] = [];
  const kept: Place[] = [];
  /** So many of `kept` are known to be stopped: none is looked at twice. */
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

/** @returns the run's id if its workflow is gone */
async function tell({ runId, say }: Decision): Promise<string | undefined> {
  const run = getExternalWorkflowHandle(runId);
  try {
    await (say === 'stop' ? run.cancel() : run.signal(turn, say));
    return undefined;
  } catch {
    // One that is to be stopped may not have a workflow yet: it is told when it arrives.
    return say === 'stop' ? undefined : runId;
  }
}

/** A run asks for its turn, perhaps not for the first time. */
export function join(line: Place[], { runId, queuedAt, overlap, earlier }: Arrival): void {
  const present = new Set(line.map((place) => place.runId));
  line.push(...earlier.filter((one) => !present.has(one.runId)));
  const known = line.find((place) => place.runId === runId);
  if (!known) line.push({ runId, queuedAt, overlap });
  else {
    known.overlap = overlap;
    // Said before it could hear, or lost with an earlier line.
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

/** Runs that ended without a word: terminated, never started, or of a time when the suite's runs could overlap. */
async function lookAfter(line: Place[]): Promise<void> {
  const runIds = line.slice(0, LOOKED_AFTER).map(({ runId }) => runId);
  if (runIds.length === 0) return;
  for (const { runId } of await endedRuns({ runIds })) leave(line, runId);
}
