import { setTimeout as sleep } from 'node:timers/promises';
import { createClaims } from './load/claims.js';
import type { FaultContext } from './faults/fault-context.js';
import { usedBy } from './faults/fault-kinds.js';
import { STRIKES } from './faults/faults.js';
import type { PlannedFault } from './plan.js';

/** How long a fault may wait until others are healed. */
const CLAIM_MS = 240_000;

/** The outcome of a planned fault; offsets from the start of the load, in ms. */
export interface FaultRecord {
  fault: PlannedFault;
  firedAtMs?: number;
  healedAtMs?: number;
  /** The target that it hit. */
  detail?: string;
  /** Why it did not strike or heal as planned. */
  problem?: string;
}

/** Injects all faults of a plan at their times. Never rejects: failures are in the records. */
export async function runCampaign(
  plan: PlannedFault[],
  context: Omit<FaultContext, 'fault' | 'fired'>,
  say: (line: string) => void,
): Promise<FaultRecord[]> {
  const began = Date.now();
  const sinceBegin = () => Date.now() - began;
  const claims = createClaims();
  const records = plan.map((fault): FaultRecord => ({ fault }));

  async function make(record: FaultRecord): Promise<void> {
    const { fault } = record;
    await sleep(fault.atMs);
    const release = await claims.take(usedBy(fault.kind, fault.target), CLAIM_MS);
    try {
      await STRIKES[fault.kind]({
        ...context,
        fault,
        fired(detail) {
          record.firedAtMs ??= sinceBegin();
          if (detail) record.detail = detail;
          say(`${seconds(sinceBegin())}  ${fault.kind} ${fault.target}${detail ? ` (${detail})` : ''}`);
        },
      });
      record.healedAtMs = sinceBegin();
      say(`${seconds(sinceBegin())}  healed: ${fault.kind} ${fault.target}`);
    } finally {
      release();
    }
  }

  await Promise.all(
    records.map((record) =>
      make(record).catch((error: unknown) => {
        record.problem = String(error);
        say(`${seconds(sinceBegin())}  PROBLEM: ${record.fault.kind} ${record.fault.target}: ${record.problem}`);
      }),
    ),
  );
  return records;
}

/** 75432 → ` 75.4 s` */
export function seconds(ms: number | undefined): string {
  return ms === undefined ? '      –' : `${(ms / 1000).toFixed(1).padStart(5)} s`;
}
