import type { FoundTarget } from '#src/db/targets/find-target.js';
import { randomId } from '#src/domain/ids.js';
import { aTestDefinition } from './run.js';

/** A test as found by the trigger path. */
export function aTarget(some: Partial<FoundTarget> = {}): FoundTarget {
  return {
    _id: randomId(),
    projectId: randomId(),
    name: 'Checkout works',
    revision: 1,
    definition: aTestDefinition(),
    ...some,
  };
}
