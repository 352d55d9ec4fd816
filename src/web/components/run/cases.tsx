import type { AttemptWithCases } from '#src/domain/runs/cases-of-run.js';
import type { Page } from '#src/domain/page.js';
import { casesIn, type CaseStatus, type TestCase } from '#src/domain/runs/test-case.js';
import { formatMs } from '#src/web/texts/format.js';
import { withQuery } from '#src/web/http/with-query.js';
import { DataTable } from '#src/web/components/data-table.js';
import { PrintedText } from './printed.js';
import { Status } from '#src/web/components/status.js';

/** Of worst to best, as the table has them. */
const ORDER: readonly CaseStatus[] = ['error', 'failed', 'passed', 'skipped'];

/** Cases of one attempt of a run. */
export interface ShownCases {
  runId: string;
  /** Those that have cases, in order. */
  attempts: readonly AttemptWithCases[];
  /** The one whose cases these are. */
  attempt: AttemptWithCases;
  /** The only one that is shown. */
  status?: CaseStatus | undefined;
  page: Page<TestCase>;
}

/** The cases of a run on its page: the first of them, and the way to the others. */
export function Cases({ cases }: { cases: ShownCases | undefined }) {
  if (!cases) return null;
  const { runId, attempt, page } = cases;
  const all = casesIn(attempt.verdict.cases);
  return (
    <section aria-labelledby="cases">
      <h2 id="cases">Cases</h2>
      <CaseCounts {...cases} />
      <CaseTable cases={page.items} />
      {all > page.items.length ? (
        <p>
          <a href={casesPath(runId, {})}>All {all.toLocaleString('en')} cases</a>
        </p>
      ) : null}
    </section>
  );
}

/** Where the cases of a run are listed. */
export function casesPath(
  runId: string,
  { attempt, status }: { attempt?: number; status?: CaseStatus | undefined },
): string {
  return withQuery(`/runs/${runId}/cases`, { attempt: attempt?.toString(), status });
}

/** How many have each status, as links to these; and those of other attempts. */
export function CaseCounts({ runId, attempts, attempt, status }: Omit<ShownCases, 'page'>) {
  const counts = attempt.verdict.cases;
  const of = attempts.length > 1 ? { attempt: attempt.number } : {};
  return (
    <nav class="case-filter" aria-label="Cases by status">
      <ul class="counts">
        <li>
          <a href={casesPath(runId, of)}>
            <span>{casesIn(counts).toLocaleString('en')}</span> in all
          </a>
        </li>
        {ORDER.filter((one) => counts[one] > 0).map((one) => (
          <li key={one}>
            <a href={casesPath(runId, { ...of, status: one })} aria-current={one === status ? 'page' : undefined}>
              <span>{counts[one].toLocaleString('en')}</span> <Status status={one} />
            </a>
          </li>
        ))}
      </ul>
      {attempts.length > 1 ? (
        <ul class="counts">
          {attempts.map(({ number }) => (
            <li key={number}>
              <a
                href={casesPath(runId, { attempt: number, status })}
                aria-current={number === attempt.number ? 'page' : undefined}
              >
                Attempt {number}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </nav>
  );
}

export function CaseTable({ cases }: { cases: readonly TestCase[] }) {
  return (
    <DataTable
      class="cases"
      items={cases}
      columns={[
        { label: 'Case', cell: (one) => <CaseName {...one} /> },
        { label: 'Status', cell: ({ status }) => <Status status={status} /> },
        { label: 'Group', cell: ({ group }) => group },
        { label: 'Time', cell: ({ durationMs }) => (durationMs === undefined ? '–' : formatMs(durationMs)) },
      ]}
    />
  );
}

function CaseName({ name, message, details, output }: TestCase) {
  const hasMore = details !== undefined && details.trim() !== message;
  return (
    <>
      {name}
      {message ? <p class="text">{message}</p> : null}
      {hasMore ? <Folded title="Failure" text={details} /> : null}
      {output ? <Folded title="Output" text={output} /> : null}
    </>
  );
}

function Folded({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <PrintedText text={text} />
    </details>
  );
}
