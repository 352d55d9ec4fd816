import type { ListedTest } from '../../../domain/run.js';
import { writePositions } from './positions.js';

/**
 * Where the page of a suite run hears what changes: of the tests, those that it shows.
 * @param tests none: it shows the first ones as soon as there are some
 */
export function suiteEvents(runId: string, tests: readonly ListedTest[]): string {
  const rows = writePositions(tests.map(({ position }) => position ?? 0));
  return `/runs/${runId}/suite-events${rows ? `?rows=${rows}` : ''}`;
}
