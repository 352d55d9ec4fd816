import { Moment } from '../../components/moment.js';

export interface ShownReport {
  _id: string;
  counts: Record<string, number>;
  lastSuccessAt?: Date;
}

const JOBS = {
  reconcile: { name: 'Reconciliation', what: 'every minute: mends runs whose record and workflow differ' },
  retention: { name: 'Retention', what: 'removes old runs with their logs' },
};

/** What the jobs of the schedules have done in all. */
export function Maintenance({ reports }: { reports?: readonly ShownReport[] | undefined }) {
  if (!reports) return <p class="notice">Not known: the database does not answer.</p>;
  const byId = new Map(reports.map((report) => [report._id, report]));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Last good pass</th>
          <th scope="col">Done in all</th>
        </tr>
      </thead>
      <tbody>
        {(['reconcile', 'retention'] as const).map((id) => {
          const { counts = {}, lastSuccessAt } = byId.get(id) ?? {};
          return (
            <tr key={id}>
              <th scope="row">
                {JOBS[id].name} <span class="muted">{JOBS[id].what}</span>
              </th>
              <td data-label="Last good pass">
                {lastSuccessAt ? (
                  <Moment at={lastSuccessAt} />
                ) : (
                  'none yet: it needs Temporal, its schedules and a worker'
                )}
              </td>
              <td data-label="Done in all">
                {Object.entries(counts)
                  .filter(([, count]) => count > 0)
                  .map(([kind, count]) => `${words(kind)}: ${count.toLocaleString('en')}`)
                  .join(', ') || 'nothing had to be done'}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** `endedRuns` → `ended runs` */
const words = (kind: string) => kind.replace(/[_-]/g, ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
