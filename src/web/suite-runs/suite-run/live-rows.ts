import type { ListedTest } from '#src/domain/runs/run.js';
import { writePositions } from '#src/web/suite-runs/timeline/positions.js';

/**
 * Where the page of a suite run hears what changes: of the tests, those that it shows.
 * @param tests none, and no filter: it shows the first ones as soon as there are some
 */
export function suiteEvents(runId: string, tests: readonly ListedTest[], isFiltered: boolean): string {
  const rows = writePositions(tests.map(({ position }) => position ?? 0));
  const query = rows ? `?rows=${rows}` : isFiltered ? '' : '?rows=first';
  return `/runs/${runId}/suite-events${query}`;
}
