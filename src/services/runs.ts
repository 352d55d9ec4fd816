import type { ServiceDeps } from './service-deps.js';

export type RunServices = ReturnType<typeof createRunServices>;

export function createRunServices(_deps: ServiceDeps) {
  return {};
}
