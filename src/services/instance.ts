import { createInstanceHealth, type InstanceHealthDeps } from './instance/health.js';
import { createInstanceWorkers, type InstanceWorkersDeps } from './instance/workers.js';

export type InstanceServices = ReturnType<typeof createInstanceServices>;

/** What admins see of the instance as a whole. */
export function createInstanceServices(deps: InstanceHealthDeps & InstanceWorkersDeps) {
  return { health: createInstanceHealth(deps), workers: createInstanceWorkers(deps) };
}
