import type { InsightDay } from '../../../domain/stats.js';
import { casesIn } from '../../../domain/test-case.js';
import { formatMs } from '../../format.js';
import { averageOf, passRateOf, passRateText, runsOf } from './day-numbers.js';

/** The numbers of every day, newest first. insights.js draws the charts from them. */
export function DayTable({ days, hasCases }: { days: readonly InsightDay[]; hasCases: boolean }) {
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
              {hasCases ? <CaseHeadings /> : null}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <Row key={day.day} {...day} hasCases={hasCases} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Of the results of tests; a project without any is spared the columns. */
function CaseHeadings() {
  return (
    <>
      <th scope="col">Cases run</th>
      <th scope="col">Cases failed</th>
    </>
  );
}

function Row({ day, test, suite, cases, hasCases }: InsightDay & { hasCases: boolean }) {
  const badCases = cases.failed + cases.error;
  const hasRun = casesIn(cases) > 0;
  const average = averageOf(test);
  return (
    <tr
      data-day={day}
      data-tests={passRateOf(test)}
      data-suites={passRateOf(suite)}
      data-duration={average}
      data-cases-passed={hasRun ? cases.passed : undefined}
      data-cases-failed={hasRun ? badCases : undefined}
    >
      <th scope="row">{day}</th>
      <td data-label="Tests run">{runsOf(test).toLocaleString('en')}</td>
      <td data-label="Passed">{passRateText(test)}</td>
      <td data-label="Failed">{test.failed.toLocaleString('en')}</td>
      <td data-label="Errors">{test.error.toLocaleString('en')}</td>
      <td data-label="A test takes">{average === undefined ? '–' : formatMs(average)}</td>
      <td data-label="Suites run">{runsOf(suite).toLocaleString('en')}</td>
      <td data-label="Suites passed">{passRateText(suite)}</td>
      {hasCases ? (
        <>
          <td data-label="Cases run">{casesIn(cases).toLocaleString('en')}</td>
          <td data-label="Cases failed">{badCases.toLocaleString('en')}</td>
        </>
      ) : null}
    </tr>
  );
}
