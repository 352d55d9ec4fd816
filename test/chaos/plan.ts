import { FAULT_KINDS, type FaultName } from './faults/fault-kinds.js';
import { seededRandom } from './random.js';

export interface PlanOptions {
  seed: number;
  faults: number;
  /** Time over which the faults are spread. */
  minutes: number;
}

export interface PlannedFault {
  /** From 1. */
  number: number;
  kind: FaultName;
  target: string;
  /** From the start of the load, in ms. Later if another fault still holds what it needs. */
  atMs: number;
  /** From the fault to its healing, in ms. */
  lengthMs: number;
  /** Of a delay, in ms each way. */
  delayMs: number;
}

/** The faults of a seed, always the same. Each kind occurs once before any is repeated, so that few seeds cover all. */
export function planFaults({ seed, faults, minutes }: PlanOptions): PlannedFault[] {
  const random = seededRandom(seed).fork('plan');
  const periodMs = minutes * 60_000;
  const names = (Object.keys(FAULT_KINDS) as FaultName[]).filter(
    (name) => (FAULT_KINDS[name].onlyFromMs ?? 0) <= periodMs,
  );
  const slotMs = periodMs / faults;
  let left: FaultName[] = [];
  return Array.from({ length: faults }, (_, index) => {
    if (left.length === 0) left = random.shuffled(names);
    const kind = left.shift()!;
    const { targets, lengthMs } = FAULT_KINDS[kind];
    const [shortest, longest] = lengthMs;
    return {
      number: index + 1,
      kind,
      target: random.pick(targets),
      atMs: Math.round(slotMs * (index + 0.8 * random.next())),
      lengthMs: random.between(shortest, Math.max(shortest, Math.min(longest, periodMs / 3))),
      delayMs: random.between(50, 1000),
    };
  });
}
