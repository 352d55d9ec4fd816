import type { ServiceDeps } from './service-deps.js';

export type DefinitionServices = ReturnType<typeof createDefinitionServices>;

export function createDefinitionServices(_deps: ServiceDeps) {
  return {};
}
