import { DataTable } from '#src/web/components/data-table.js';
import { Moment } from '#src/web/components/moment.js';
import { formatCount } from '#src/web/texts/format.js';

/** How a project does: see the statistics. */
export interface ProjectHealth {
  tests: number;
  suites: number;
  failing: number;
  openRuns: number;
  lastRunAt?: Date;
}

export interface ListedProject {
  id: string;
  name: string;
  /** What the viewer is in it. */
  role: string;
  health: ProjectHealth;
}

/** Projects, each with how it does. */
export function ProjectTable({ items }: { items: readonly ListedProject[] }) {
  return (
    <DataTable
      items={items}
      columns={[
        { label: 'Project', cell: ({ id, name }) => <a href={`/projects/${id}/tests`}>{name}</a> },
        { label: 'Health', cell: ({ id, health }) => <Health id={id} {...health} />, isUnlabeled: true },
        {
          label: 'Holds',
          cell: ({ health }) => `${formatCount(health.tests, 'test')}, ${formatCount(health.suites, 'suite')}`,
        },
        {
          label: 'In progress',
          cell: ({ id, health: { openRuns } }) =>
            openRuns > 0 ? <a href={`/projects/${id}/runs`}>{formatCount(openRuns, 'run')}</a> : 'nothing',
        },
        { label: 'Last run', cell: ({ health: { lastRunAt } }) => (lastRunAt ? <Moment at={lastRunAt} /> : '–') },
        { label: 'Your role', cell: ({ role }) => role },
      ]}
    />
  );
}

function Health({ id, failing, lastRunAt }: ProjectHealth & { id: string }) {
  if (!lastRunAt) return <span class="status">No runs yet</span>;
  if (failing === 0) return <span class="status passed">None failing</span>;
  return (
    <a class="plain" href={`/projects/${id}/tests?verdict=bad`}>
      <span class="status failed">{failing.toLocaleString('en')} failing</span>
    </a>
  );
}
