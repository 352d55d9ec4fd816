import { createInstanceHealth, type InstanceHealthDeps } from './health.js';
import { createInstanceWorkers, type InstanceWorkersDeps } from './worker-list.js';

export type InstanceServices = ReturnType<typeof createInstanceServices>;

/** What admins see of the instance as a whole. */
export function createInstanceServices(deps: InstanceHealthDeps & InstanceWorkersDeps) {
  return { health: createInstanceHealth(deps), workers: createInstanceWorkers(deps) };
}
