import { withQuery } from '#src/web/http/with-query.js';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { NameSearch } from '#src/web/components/name-search.js';

/** What the list is asked for, as in its address. */
export interface ListWishes {
  search?: string | undefined;
  verdict?: string | undefined;
  sort: string;
}

export const VERDICT_CHOICES: Record<string, string> = {
  '': 'All',
  passed: 'Passed',
  failed: 'Failed',
  error: 'Error',
  bad: 'Failed or error',
};

export const SORT_CHOICES: Record<string, string> = {
  name: 'Name',
  lastRun: 'Last run, newest first',
  passRate: 'Pass rate, lowest first',
  duration: 'Duration, longest first',
};

/** The wishes as a query of the list's address. */
export function queryOf({ search, verdict, sort }: ListWishes): string {
  return withQuery('', { search, verdict, sort: sort === 'name' ? undefined : sort });
}

/** The form with which a list is searched, filtered and ordered. */
export function Filters({
  path,
  kind,
  wishes: { search, verdict = '', sort },
}: {
  path: string;
  kind: TargetKind;
  wishes: ListWishes;
}) {
  return (
    <form method="get" action={path} role="search" class="filters" aria-label={`Find ${kind}s`}>
      <NameSearch value={search} />
      <Choice name="verdict" label="Last verdict" from={VERDICT_CHOICES} value={verdict} />
      <Choice name="sort" label="Order" from={SORT_CHOICES} value={sort} />
      <button type="submit" class="btn btn-outline-secondary">
        Show
      </button>
    </form>
  );
}

function Choice({
  name,
  label,
  from,
  value,
}: {
  name: string;
  label: string;
  from: Record<string, string>;
  value: string;
}) {
  return (
    <span class="pair">
      <label for={name}>{label}</label>
      <select class="form-select" id={name} name={name}>
        {Object.entries(from).map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}
