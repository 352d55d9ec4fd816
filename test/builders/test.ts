import { randomId } from '#src/domain/ids.js';
import type { Test } from '#src/domain/records.js';
import { aTestDefinition } from './run.js';

/** A test created an hour ago. */
export function aTest(some: Partial<Test> = {}): Test {
  return {
    _id: randomId(),
    projectId: randomId(),
    name: 'Checkout works',
    definition: aTestDefinition(),
    revision: 1,
    modifiedAt: new Date(Date.now() - 3_600_000),
    ...some,
  };
}
