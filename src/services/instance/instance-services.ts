import { createInstanceHealth, type InstanceHealthDeps } from './health.js';
import { createInstanceWorkers, type InstanceWorkersDeps } from './worker-list.js';

export type InstanceServices = ReturnType<typeof createInstanceServices>;

/** State of the whole instance, for admins. */
export function createInstanceServices(deps: InstanceHealthDeps & InstanceWorkersDeps) {
  return { health: createInstanceHealth(deps), workers: createInstanceWorkers(deps) };
}
