import type { Page } from '#src/domain/page.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { ListedTest } from '#src/domain/runs/run.js';
import { Field } from '#src/web/components/form/field.js';
import { Paging } from '#src/web/components/paging.js';
import { StatusFilter } from '#src/web/components/status-filter.js';
import { LIVE_PART } from '#src/web/components/live/live-part.js';
import { withQuery } from '#src/web/http/with-query.js';
import { TestTable } from './test-table.js';

/** Which of its tests a suite run's page shows. */
export interface TestsFilter {
  statuses?: readonly RunStatus[] | undefined;
  search?: string | undefined;
}

interface TestsProps {
  runId: string;
  tests: Page<ListedTest>;
  filter: TestsFilter;
  /** The suite run has no tests at all. */
  isEmpty: boolean;
  now: Date;
  isPart?: boolean;
}

/** The tests of a suite run: those that the filter lets through, in pages. */
export function Tests({ runId, tests, filter, isEmpty, now, isPart }: TestsProps) {
  const path = `/runs/${runId}`;
  const isFiltered = filter.statuses !== undefined || filter.search !== undefined;
  return (
    <section id="tests" aria-labelledby="tests-title" {...(isPart ? LIVE_PART : {})}>
      <h2 id="tests-title">Tests</h2>
      {isEmpty ? <p class="muted">None yet.</p> : <Filter path={path} filter={filter} isFiltered={isFiltered} />}
      {tests.items.length > 0 ? <TestTable tests={tests.items} now={now} /> : null}
      {isFiltered && tests.items.length === 0 ? (
        <p class="notice">
          No matching tests in this run. <a href={`${path}#tests`}>Show all tests</a>
        </p>
      ) : null}
      {tests.items.length > 0 ? (
        <Paging page={tests} path={withQuery(path, { status: filter.statuses, search: filter.search })} noun="test" />
      ) : null}
    </section>
  );
}

function Filter({ path, filter, isFiltered }: { path: string; filter: TestsFilter; isFiltered: boolean }) {
  return (
    <form action={`${path}#tests`} class="filters" role="search" aria-label="Tests of this run">
      <Field type="search" name="search" label="Name" value={filter.search} required={false} />
      <StatusFilter statuses={filter.statuses} />
      <button type="submit" class="btn btn-outline-primary">
        Show
      </button>
      {isFiltered ? <a href={`${path}#tests`}>Show all tests</a> : null}
    </form>
  );
}
