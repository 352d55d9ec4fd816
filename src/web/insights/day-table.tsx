import type { InsightDay } from '#src/domain/stats/stats.js';
import { casesIn } from '#src/domain/runs/test-case.js';
import { DataTable } from '#src/web/components/data-table.js';
import { formatMs } from '#src/web/texts/format.js';
import { averageOf, passRateOf, passRateText, runsOf } from './day-numbers.js';

/** The numbers of every day, newest first. insights.js draws the charts from them. */
export function DayTable({ days, hasCases }: { days: readonly InsightDay[]; hasCases: boolean }) {
  return (
    <div>
      <h2 id="days-title">Daily numbers</h2>
      <div class="day-box" role="region" aria-labelledby="days-title" tabindex={0}>
        <DataTable
          table={{ 'data-days': true }}
          items={days.toReversed()}
          row={dataOf}
          columns={[
            { label: 'Day (UTC)', cell: ({ day }) => day },
            { label: 'Test runs', cell: ({ test }) => number(runsOf(test)) },
            { label: 'Passed', cell: ({ test }) => passRateText(test) },
            { label: 'Failed', cell: ({ test }) => number(test.failed) },
            { label: 'Errors', cell: ({ test }) => number(test.error) },
            { label: 'Test duration', cell: ({ test }) => durationText(averageOf(test)) },
            { label: 'Suite runs', cell: ({ suite }) => number(runsOf(suite)) },
            { label: 'Suites passed', cell: ({ suite }) => passRateText(suite) },
            // A project without results of cases is spared the columns.
            hasCases && { label: 'Cases run', cell: ({ cases }) => number(casesIn(cases)) },
            hasCases && { label: 'Cases failed', cell: ({ cases }) => number(cases.failed + cases.error) },
          ]}
        />
      </div>
    </div>
  );
}

const number = (value: number) => value.toLocaleString('en');
const durationText = (ms: number | undefined) => (ms === undefined ? '–' : formatMs(ms));

/** What the charts need of a day. */
function dataOf({ day, test, suite, cases }: InsightDay) {
  const hasCases = casesIn(cases) > 0;
  return {
    'data-day': day,
    'data-tests': passRateOf(test),
    'data-suites': passRateOf(suite),
    'data-duration': averageOf(test),
    'data-cases-passed': hasCases ? cases.passed : undefined,
    'data-cases-failed': hasCases ? cases.failed + cases.error : undefined,
  };
}
