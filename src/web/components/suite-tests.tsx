import { RUN_STATUSES, type StatusCounts } from '../../domain/run-status.js';
import type { TestRun } from '../../domain/run.js';
import { formatCount, formatDuration } from '../format.js';
import { Status } from './status.js';

export type SuiteTestRun = Pick<
  TestRun,
  '_id' | 'targetName' | 'status' | 'attempt' | 'startedAt' | 'endedAt' | 'position'
>;

export interface SuiteTestsProps {
  /** In the suite's order; the first ones when there are very many. */
  testRuns: SuiteTestRun[];
  counts: StatusCounts;
  now: Date;
}

/** The tests of a suite run, and how many have each status. */
export function SuiteTests({ testRuns, counts, now }: SuiteTestsProps) {
  const total = RUN_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  return (
    <section aria-labelledby="tests">
      <h2 id="tests">Tests</h2>
      {total === 0 ? <p class="muted">None yet.</p> : null}
      <ul class="counts" aria-label="Tests by status">
        {RUN_STATUSES.filter((status) => counts[status] > 0).map((status) => (
          <li key={status}>
            {counts[status]} <Status status={status} />
          </li>
        ))}
      </ul>
      {testRuns.length > 0 ? <TestTable testRuns={testRuns} now={now} /> : null}
      {total > testRuns.length ? (
        <p class="notice">
          This page shows the first {testRuns.length} of {formatCount(total, 'test')}.
        </p>
      ) : null}
    </section>
  );
}

function TestTable({ testRuns, now }: { testRuns: SuiteTestRun[]; now: Date }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Test</th>
          <th scope="col">Status</th>
          <th scope="col">Attempts</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {testRuns.map(({ _id, targetName, status, attempt, startedAt, endedAt }) => (
          <tr key={_id}>
            <th scope="row">
              <a href={`/runs/${_id}`}>{targetName}</a>
            </th>
            <td>
              <Status status={status} />
            </td>
            <td data-label="Attempts">{attempt || '–'}</td>
            <td data-label="Duration">{startedAt ? formatDuration(startedAt, endedAt ?? now) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
