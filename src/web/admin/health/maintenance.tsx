import { DataTable } from '#src/web/components/data-table.js';
import { Moment } from '#src/web/components/moment.js';

export interface ShownReport {
  _id: string;
  counts: Record<string, number>;
  lastSuccessAt?: Date;
}

const JOBS = {
  reconcile: { name: 'Reconciliation', what: 'Every minute: reconciles runs whose record and workflow differ' },
  retention: { name: 'Retention', what: 'Deletes expired runs and their logs' },
};

/** What the jobs of the schedules have done in all. */
export function Maintenance({ reports }: { reports?: readonly ShownReport[] | undefined }) {
  if (!reports) return <p class="notice">Unknown: the database is unavailable.</p>;
  const byId = new Map(reports.map((report) => [report._id, report]));
  return (
    <DataTable
      items={(['reconcile', 'retention'] as const).map((id) => ({ ...JOBS[id], ...byId.get(id) }))}
      columns={[
        {
          label: 'Job',
          cell: ({ name, what }) => (
            <>
              {name} <span class="muted">{what}</span>
            </>
          ),
        },
        {
          label: 'Last success',
          cell: ({ lastSuccessAt: at }) =>
            at ? <Moment at={at} /> : 'Never. Requires Temporal, its schedules and a worker.',
        },
        { label: 'Total', cell: ({ counts = {} }) => countsText(counts) || 'no changes needed' },
      ]}
    />
  );
}

const countsText = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${words(kind)}: ${count.toLocaleString('en')}`)
    .join(', ');

/** `endedRuns` → `ended runs` */
const words = (kind: string) => kind.replace(/[_-]/g, ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
