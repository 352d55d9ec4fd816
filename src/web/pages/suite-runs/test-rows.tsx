import type { ListedTest } from '../../../domain/run.js';
import { Elapsed } from '../../components/elapsed.js';
import { Status } from '../../components/status.js';
import { LIVE_PART } from '../../components/live/live-part.js';
import { Why } from '../../components/why.js';

export interface TestRowsProps {
  tests: readonly ListedTest[];
  now: Date;
  isPart?: boolean;
}

/** Tests of a suite run, a row each. */
export function TestRows({ tests, now, isPart }: TestRowsProps) {
  return (
    <>
      {tests.map((test) => (
        <tr key={test._id} id={`run-${test._id}`} {...(isPart ? LIVE_PART : {})}>
          <td class="number">{(test.position ?? 0) + 1}</td>
          <th scope="row">
            <a href={`/runs/${test._id}`}>{test.targetName}</a>
          </th>
          <td>
            <Status status={test.status} />
          </td>
          <td data-label="Attempts">{test.attempt || '–'}</td>
          <td data-label="Duration">
            {test.startedAt ? <Elapsed from={test.startedAt} to={test.endedAt} now={now} /> : '–'}
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
