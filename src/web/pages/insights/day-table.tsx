import type { InsightDay } from '../../../domain/stats.js';
import { formatMs } from '../../format.js';
import { averageOf, passRateOf, passRateText, runsOf } from './day-numbers.js';

/** The numbers of every day, newest first. insights.js draws the charts from them. */
export function DayTable({ days }: { days: readonly InsightDay[] }) {
  return (
    <div>
      <h2 id="days-title">Day by day</h2>
      <div class="day-box" role="region" aria-labelledby="days-title" tabindex={0}>
        <table data-days>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">Tests run</th>
              <th scope="col">Passed</th>
              <th scope="col">Failed</th>
              <th scope="col">Errors</th>
              <th scope="col">A test takes</th>
              <th scope="col">Suites run</th>
              <th scope="col">Suites passed</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <Row key={day.day} {...day} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Row({ day, test, suite }: InsightDay) {
  const average = averageOf(test);
  return (
    <tr data-day={day} data-tests={passRateOf(test)} data-suites={passRateOf(suite)} data-duration={average}>
      <th scope="row">{day}</th>
      <td data-label="Tests run">{runsOf(test).toLocaleString('en')}</td>
      <td data-label="Passed">{passRateText(test)}</td>
      <td data-label="Failed">{test.failed.toLocaleString('en')}</td>
      <td data-label="Errors">{test.error.toLocaleString('en')}</td>
      <td data-label="A test takes">{average === undefined ? '–' : formatMs(average)}</td>
      <td data-label="Suites run">{runsOf(suite).toLocaleString('en')}</td>
      <td data-label="Suites passed">{passRateText(suite)}</td>
    </tr>
  );
}
