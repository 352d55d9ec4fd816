import { randomId } from '#src/domain/ids.js';
import type { EndedRun } from '#src/domain/stats/target-stats.js';

/** A test run that passed at noon after ten seconds. */
export function anEndedRun(some: Partial<EndedRun> = {}): EndedRun {
  const endedAt = some.endedAt ?? new Date('2026-08-02T12:00:00Z');
  return {
    _id: randomId(),
    kind: 'test',
    projectId: randomId(),
    targetId: randomId(),
    targetRevision: 1,
    status: 'passed',
    startedAt: new Date(endedAt.getTime() - 10_000),
    endedAt,
    modified: endedAt,
    ...some,
  };
}
