import type { Page } from '#src/domain/page.js';
import type { AuditEntry } from '#src/domain/people/people.js';
import { AUDIT_ACTIONS, auditDetails, auditText } from '#src/web/texts/audit-texts.js';
import { withQuery } from '#src/web/http/with-query.js';
import { DataTable } from './data-table.js';
import { Empty } from './empty-state.js';
import { Moment } from './moment.js';
import { Paging } from './paging.js';

/** What of the audit is asked for. */
export interface AuditQuery {
  action?: string | undefined;
  actor?: string | undefined;
}

export interface AuditListProps {
  entries: Page<AuditEntry>;
  query: AuditQuery;
  /** The page's own address. */
  path: string;
  /** Of many projects: names the project of each entry by its link. */
  showsProject?: boolean;
}

/** Who did what, newest first, with filters by action and person. */
export function AuditList({ entries, query, path, showsProject = false }: AuditListProps) {
  const isFiltered = query.action !== undefined || query.actor !== undefined;
  return (
    <>
      <Filters query={query} path={path} />
      {entries.items.length === 0 ? (
        <Empty title={isFiltered ? 'No matching entries' : 'No entries yet'}>
          <p>
            {isFiltered ? (
              <>
                Choose another action or person, or <a href={path}>clear the filters</a>.
              </>
            ) : (
              'Changes made by people and tokens appear here.'
            )}
          </p>
        </Empty>
      ) : (
        <DataTable
          items={entries.items}
          columns={[
            { label: 'Who', cell: (entry) => <Actor {...entry} /> },
            { label: 'What', cell: (entry) => <What entry={entry} showsProject={showsProject} /> },
            { label: 'When', cell: ({ at }) => <Moment at={at} /> },
            { label: 'From', cell: ({ from }) => from ?? 'this server', class: 'nowrap' },
          ]}
        />
      )}
      <Paging page={entries} path={withQuery(path, { ...query })} noun="entry" plural="entries" />
    </>
  );
}

function Filters({ query: { action, actor }, path }: { query: AuditQuery; path: string }) {
  return (
    <form method="get" action={path} class="filters">
      <select class="form-select" name="action" aria-label="Action">
        <option value="">Everything</option>
        {AUDIT_ACTIONS.map((one) => (
          <option key={one} value={one} selected={one === action}>
            {auditText(one)}
          </option>
        ))}
      </select>
      <input
        class="form-control"
        type="search"
        name="actor"
        value={actor ?? ''}
        placeholder="Email or token name"
        aria-label="Actor: full email or token name"
      />
      <button type="submit" class="btn btn-outline-secondary">
        Filter
      </button>
      {action || actor ? <a href={path}>Clear filters</a> : null}
    </form>
  );
}

const NOBODY = { anonymous: 'not signed in', system: 'Runhook', user: 'a person', token: 'a token' };

function Actor({ actor }: AuditEntry) {
  return (
    <>
      <span class="word">{actor.name || NOBODY[actor.type]}</span>
      {actor.type === 'token' && actor.name ? <span class="muted"> (token)</span> : null}
    </>
  );
}

function What({ entry, showsProject }: { entry: AuditEntry; showsProject: boolean }) {
  const { projectId, action, target, details } = entry;
  const facts = auditDetails(details);
  // An id says little where there are facts.
  const about = target?.name ?? (facts ? undefined : target?.id);
  return (
    <>
      <span title={action}>{auditText(action)}</span>
      {about ? <>: {about}</> : null}
      {facts ? <div class="muted">{facts}</div> : null}
      {showsProject && projectId ? (
        <div>
          {action === 'project.remove' ? (
            <a href={`/projects/${projectId}/runs`}>Runs of this project</a>
          ) : (
            <a href={`/projects/${projectId}`}>In this project</a>
          )}
        </div>
      ) : null}
    </>
  );
}
