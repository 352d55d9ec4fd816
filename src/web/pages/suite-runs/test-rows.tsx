import type { ListedTest } from '../../../domain/run.js';
import { RunDuration } from '../../components/run-duration.js';
import { Status } from '../../components/status.js';
import { swapped } from '../../components/swapped.js';
import { Why } from '../../components/why.js';

export interface TestRowsProps {
  tests: readonly ListedTest[];
  now: Date;
  isLive?: boolean;
}

/** Tests of a suite run, a row each. */
export function TestRows({ tests, now, isLive }: TestRowsProps) {
  return (
    <>
      {tests.map((test) => (
        <tr key={test._id} id={`run-${test._id}`} {...swapped(isLive)}>
          <td class="number">{(test.position ?? 0) + 1}</td>
          <th scope="row">
            <a href={`/runs/${test._id}`}>{test.targetName}</a>
          </th>
          <td>
            <Status status={test.status} />
          </td>
          <td data-label="Attempts">{test.attempt || '–'}</td>
          <td data-label="Duration">
            <RunDuration run={test} now={now} />
          </td>
          <td data-label="Why" class="why">
            <Why run={test} />
          </td>
        </tr>
      ))}
    </>
  );
}

/** The table that they stand in. */
export function TestTable(props: TestRowsProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Test</th>
          <th scope="col">Status</th>
          <th scope="col">Attempts</th>
          <th scope="col">Duration</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        <TestRows {...props} />
      </tbody>
    </table>
  );
}
