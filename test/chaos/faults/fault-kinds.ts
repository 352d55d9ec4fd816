import { LINKS, SERVERS, WORKERS } from '#test/chaos/system/topology.js';

/**
 * A kind of fault: its targets, its duration, and what must be intact meanwhile. Pure, because plans are made of these.
 */
export interface FaultKind {
  targets: readonly string[];
  /** From the fault to its healing, in ms. */
  lengthMs: readonly [number, number];
  /** Parts that no other fault may hit until it is healed; always includes the target. */
  uses?: readonly string[];
  /** Only drawn if the time for faults is at least this long, in ms. */
  onlyFromMs?: number;
}

const DOWN: readonly [number, number] = [500, 8000];
/** A fault point is reached by load that passes through all parts. */
const STORES = ['mongodb', 'temporal'];
const LONG_RUN_MS = 90_000;

const kinds = {
  'kill-server': { targets: SERVERS, lengthMs: DOWN },
  'kill-server-before-insert': { targets: SERVERS, lengthMs: DOWN, uses: STORES },
  'kill-server-after-insert': { targets: SERVERS, lengthMs: DOWN, uses: STORES },
  'kill-server-before-start': { targets: SERVERS, lengthMs: DOWN, uses: STORES },
  'kill-server-after-start': { targets: SERVERS, lengthMs: DOWN, uses: STORES },
  'kill-server-before-answer': { targets: SERVERS, lengthMs: DOWN, uses: STORES },
  'freeze-server': { targets: SERVERS, lengthMs: [2000, 12_000] },
  'kill-worker-in-test': { targets: WORKERS, lengthMs: DOWN, uses: STORES },
  'kill-worker-before-verdict': { targets: WORKERS, lengthMs: DOWN, uses: STORES },
  // Longer than the heartbeat timeout of 30 s.
  'freeze-worker': { targets: WORKERS, lengthMs: [33_000, 45_000], onlyFromMs: LONG_RUN_MS },
  'kill-all-workers': { targets: ['workers'], lengthMs: [15_000, 60_000], uses: WORKERS, onlyFromMs: LONG_RUN_MS },
  'kill-temporal': { targets: ['temporal'], lengthMs: DOWN },
  'freeze-temporal': { targets: ['temporal'], lengthMs: [2000, 15_000] },
  'kill-mongodb': { targets: ['mongodb'], lengthMs: [0, 8000] },
  'freeze-mongodb': { targets: ['mongodb'], lengthMs: [2000, 10_000] },
  'delay-link': { targets: LINKS, lengthMs: [3000, 15_000] },
  'cut-link': { targets: LINKS, lengthMs: [0, 8000] },
  'black-hole-link': { targets: LINKS, lengthMs: [3000, 15_000] },
  'deploy-servers': { targets: ['servers'], lengthMs: [0, 0], uses: [...SERVERS, ...STORES] },
  'deploy-workers': { targets: ['workers'], lengthMs: [0, 0], uses: [...WORKERS, ...STORES] },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof kinds;
export const FAULT_KINDS: Record<FaultName, FaultKind> = kinds;

/** Everything that a fault claims: for a link, also the program at its end. */
export function usedBy(kind: FaultName, target: string): string[] {
  const [near, far] = target.split('→') as [string, string?];
  const program = near === 'caller' ? far! : near;
  return [target, program, ...(FAULT_KINDS[kind].uses ?? [])];
}
