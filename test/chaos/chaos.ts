import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import { eventually } from '#test/support/eventually.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { runCampaign } from './campaign.js';
import { gatherEvidence, listWorkflows, type Evidence, type Violation } from './evidence.js';
import { checkInvariants } from './invariants/index.js';
import { projectFileWith } from './load/known-runs.js';
import { startLoad } from './load/load.js';
import { planFaults, type PlanOptions } from './plan.js';
import { seededRandom } from './random.js';
import { startRecorder } from './load/recorder.js';
import { startSystem, type System } from './system/system.js';

/** After the last fault, so that the callers meet a healed system too. */
const CALM_MS = 2000;
/** Reconcile looks every minute, a frozen worker's long poll holds a task for as long, pollers come back in half. */
const SETTLE_MS = 240_000;

export interface Outcome {
  violations: Violation[];
  evidence: Evidence;
  /** How long everything took to end after the load, in ms. */
  settledMs: number;
  /** Logs and data; removed when there is no violation. */
  folder: string;
}

/**
 * Runs the system under load, breaks it as the seed says, heals it, waits until it is at rest and looks at what is left.
 * @param say told what happens while it happens
 * @throws Error when the system cannot even be started
 */
export async function runChaos(options: PlanOptions, say: (line: string) => void): Promise<Outcome> {
  const mark = `CHAOS_MARK=${randomUUID()}`;
  const plan = planFaults(options);
  const system = await startSystem(projectFileWith(mark));
  let outcome: Outcome;
  try {
    const recorder = startRecorder(system.mongodbUrl);
    const load = startLoad(system, seededRandom(options.seed).fork('load'));
    const faults = await runCampaign(plan, { system, load, recorder }, say);
    await sleep(CALM_MS);
    await load.end();
    say('All is healed and every caller has its answer; waiting until nothing is under way');
    const began = Date.now();
    await settle(system, mark);
    const settledMs = Date.now() - began;
    await recorder.stop();
    const evidence = await gatherEvidence(system, load, recorder, faults, mark);
    outcome = { violations: checkInvariants(evidence), evidence, settledMs, folder: system.folder };
  } finally {
    await system.stop();
  }
  if (outcome.violations.length === 0) await system.remove();
  return outcome;
}

/** Waits until no run, workflow or process is under way, or until the deadline: the invariants say what is wrong then. */
async function settle(system: System, mark: string): Promise<void> {
  const open = { status: { $nin: [...TERMINAL_STATUSES] } };
  const atRest = async () => {
    if ((await system.collections.runs.countDocuments(open)) > 0) return undefined;
    const workflows = await listWorkflows(system);
    return workflows.every(({ status }) => status !== 'RUNNING') && processesWith(mark).length === 0 ? true : undefined;
  };
  await eventually(atRest, SETTLE_MS).catch(() => {});
}
