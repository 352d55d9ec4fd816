import type { ServiceDeps } from './service-deps.js';

export type TokenServices = ReturnType<typeof createTokenServices>;

export function createTokenServices(_deps: ServiceDeps) {
  return {};
}
