import type { Page } from '../../domain/page.js';
import type { AuditEntry } from '../../domain/people.js';
import { AUDIT_ACTIONS, auditDetails, auditText } from '../audit-texts.js';
import { Empty } from './empty.js';
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
  const filters = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
  return (
    <>
      <Filters query={query} path={path} />
      {entries.items.length === 0 ? (
        <Empty title={filters ? 'Nothing of that kind' : 'Nothing yet'}>
          <p>
            {filters ? (
              <>
                Choose another action or person, or <a href={path}>show everything</a>.
              </>
            ) : (
              'Changes by people and tokens are noted here as they happen.'
            )}
          </p>
        </Empty>
      ) : (
        <Entries entries={entries.items} showsProject={showsProject} />
      )}
      <Paging page={entries} path={filters ? `${path}?${filters}` : path} noun="entry" plural="entries" />
    </>
  );
}

function Filters({ query: { action, actor }, path }: { query: AuditQuery; path: string }) {
  return (
    <form method="get" action={path} class="filters">
      <select class="form-select" name="action" aria-label="What was done">
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
        placeholder="E-mail or token’s name"
        aria-label="Who did it: the whole e-mail, or a token’s name"
      />
      <button type="submit" class="btn btn-outline-secondary">
        Filter
      </button>
      {action || actor ? <a href={path}>Show everything</a> : null}
    </form>
  );
}

function Entries({ entries, showsProject }: { entries: readonly AuditEntry[]; showsProject: boolean }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">When</th>
          <th scope="col">From</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry._id} entry={entry} showsProject={showsProject} />
        ))}
      </tbody>
    </table>
  );
}

const NOBODY = { anonymous: 'somebody who is not signed in', system: 'Runhook', user: 'a person', token: 'a token' };

function EntryRow({ entry, showsProject }: { entry: AuditEntry; showsProject: boolean }) {
  const { at, projectId, actor, action, target, from, details } = entry;
  const facts = auditDetails(details);
  // An id says little where there are facts.
  const about = target?.name ?? (facts ? undefined : target?.id);
  return (
    <tr>
      <th scope="row">
        <span class="word">{actor.name || NOBODY[actor.type]}</span>
        {actor.type === 'token' && actor.name ? <span class="muted"> (token)</span> : null}
      </th>
      <td data-label="What">
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
      </td>
      <td data-label="When">
        <Moment at={at} />
      </td>
      <td data-label="From" class="nowrap">
        {from ?? 'this server'}
      </td>
    </tr>
  );
}
