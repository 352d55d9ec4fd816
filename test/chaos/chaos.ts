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

/** After the last fault, so that callers also see a healed system. */
const CALM_MS = 2000;
/**
 * Reconcile runs every minute, a frozen worker's long poll holds a task as long, and pollers need half as long to
 * reconnect.
 */
const SETTLE_MS = 240_000;

export interface Outcome {
  violations: Violation[];
  evidence: Evidence;
  /** How long everything took to end after the load, in ms. */
  settledMs: number;
  /** Logs and data; removed if there is no violation. */
  folder: string;
}

/**
 * Runs the system under load, injects the faults of the seed, heals it, waits until it is idle and checks the
 * invariants.
 * @param say called with progress messages
 * @throws Error if the system cannot be started
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
    say('Everything is healed and every caller has its response; waiting until nothing is in progress');
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

/**
 * Waits until no run, workflow or process is in progress, or until the deadline; the invariants then report what is
 * wrong.
 */
async function settle(system: System, mark: string): Promise<void> {
  const open = { status: { $nin: [...TERMINAL_STATUSES] } };
  const atRest = async () => {
    if ((await system.collections.runs.countDocuments(open)) > 0) return undefined;
    const workflows = await listWorkflows(system);
    return workflows.every(({ status }) => status !== 'RUNNING') && processesWith(mark).length === 0 ? true : undefined;
  };
  await eventually(atRest, SETTLE_MS).catch(() => {});
}
