import type { ServiceDeps } from './service-deps.js';

export type PeopleServices = ReturnType<typeof createPeopleServices>;

export function createPeopleServices(_deps: ServiceDeps) {
  return {};
}
