import { randomId } from '#src/domain/ids.js';
import type { WorkerFacts } from '#src/db/pools/worker-store.js';

/** What a worker process reports. */
export function aWorker(some: Partial<WorkerFacts> = {}): WorkerFacts {
  return { _id: randomId(), host: 'ci-7', pid: 4711, pools: ['default'], workflows: true, slots: 2, ...some };
}

/** A unique pool name. */
export function aPool(): string {
  return `pool-${randomId()}`;
}
