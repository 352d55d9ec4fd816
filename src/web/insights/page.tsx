import { addCases, type DayCounts } from '#src/domain/stats/project-day.js';
import type { Insights } from '#src/domain/stats/stats.js';
import { CASE_STATUSES, casesIn, noCases, type CaseCounts } from '#src/domain/runs/test-case.js';
import { Empty } from '#src/web/components/empty-state.js';
import { Facts } from '#src/web/components/facts.js';
import { formatCount, formatMs } from '#src/web/texts/format.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { PageContext, ProjectContext } from '#src/web/layout/page-context.js';
import { Charts } from './charts.js';
import { averageOf, passRateText, runsOf, sumOf } from './day-numbers.js';
import { DayTable } from './day-table.js';
import { Flakiest, Slowest } from './rankings.js';

/** How many days can be looked at. */
export const INSIGHT_RANGES = [7, 30, 90] as const;
export type InsightRange = (typeof INSIGHT_RANGES)[number];

interface InsightsPageProps {
  page: PageContext;
  project: ProjectContext;
  range: InsightRange;
  insights: Insights;
}

/** GET /projects/{projectId}/insights */
export function InsightsPage({ page, project, range, insights }: InsightsPageProps) {
  const tests = sumOf(insights.days.map(({ test }) => test));
  const suites = sumOf(insights.days.map(({ suite }) => suite));
  const cases = insights.days.map((day) => day.cases).reduce(addCases, noCases());
  const hasCases = casesIn(cases) > 0;
  const isEmpty = runsOf(tests) + runsOf(suites) === 0;
  return (
    <ProjectLayout
      page={page}
      project={project}
      section="insights"
      title="Insights"
      assets={['uplot.css', 'insights.css', 'uplot.js', 'insights.js']}
    >
      <div class="title-row">
        <h1>Insights</h1>
        <Ranges projectId={project.id} range={range} />
      </div>
      {isEmpty ? (
        <NoRuns project={project} range={range} />
      ) : (
        <>
          <Summary tests={tests} suites={suites} cases={cases} />
          <div class="insights">
            <Charts hasCases={hasCases} />
            <DayTable days={insights.days} hasCases={hasCases} />
          </div>
          <div class="rankings">
            <Slowest tests={insights.slowest} />
            <Flakiest tests={insights.flakiest} range={range} />
          </div>
        </>
      )}
    </ProjectLayout>
  );
}

function Ranges({ projectId, range }: { projectId: string; range: InsightRange }) {
  return (
    <nav class="btn-group" aria-label="Time range">
      {INSIGHT_RANGES.map((days) => (
        <a
          key={days}
          class={`btn btn-sm btn-outline-secondary${days === range ? ' active' : ''}`}
          href={`/projects/${projectId}/insights?days=${days}`}
          aria-current={days === range ? 'page' : undefined}
        >
          {days} days
        </a>
      ))}
    </nav>
  );
}

function Summary({ tests, suites, cases }: { tests: DayCounts; suites: DayCounts; cases: CaseCounts }) {
  return (
    <Facts
      of={[
        ['Test runs', countsText(tests)],
        ['Test duration', averageOf(tests) === undefined ? undefined : `${formatMs(averageOf(tests)!)} on average`],
        ['Suite runs', countsText(suites)],
        ['Cases', casesIn(cases) === 0 ? undefined : countedCases(cases)],
      ]}
    />
  );
}

function countsText(counts: DayCounts): string {
  const runs = runsOf(counts);
  return runs === 0 ? 'none' : `${runs.toLocaleString('en')}, ${passRateText(counts)} passed`;
}

function countedCases(cases: CaseCounts): string {
  const some = CASE_STATUSES.filter((status) => cases[status] > 0);
  const counts = some.map((status) => `${cases[status].toLocaleString('en')} ${status}`);
  return `${casesIn(cases).toLocaleString('en')}: ${counts.join(', ')}`;
}

function NoRuns({ project, range }: { project: ProjectContext; range: InsightRange }) {
  const longest = INSIGHT_RANGES.at(-1)!;
  return (
    <Empty title={`No completed runs in the last ${formatCount(range, 'day')}`}>
      <p>
        This page shows the pass rate and duration of completed runs, the slowest tests, and flaky tests: those whose
        verdict changes although the test did not.
      </p>
      <p class="buttons">
        <a class="btn btn-primary" href={`/projects/${project.id}/tests`}>
          {project.may('runs.start') ? 'Go to the tests and run one' : 'Go to the tests'}
        </a>
        {range === longest ? null : (
          <a class="btn btn-outline-secondary" href={`/projects/${project.id}/insights?days=${longest}`}>
            Look at {longest} days
          </a>
        )}
      </p>
    </Empty>
  );
}
