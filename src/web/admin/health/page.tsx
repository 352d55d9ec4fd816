import type { Check } from '#src/domain/check.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Facts } from '#src/web/components/facts.js';
import { Moment } from '#src/web/components/moment.js';
import { State } from '#src/web/components/state.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';
import { Maintenance, type ShownReport } from './maintenance.js';

/** One of the servers that Runhook depends on. */
interface Dependency {
  status: 'up' | 'down' | 'degraded';
  message?: string;
  /** ISO 8601, UTC. */
  since?: string;
}

interface HealthPageProps extends AdminProps {
  dependencies: { mongodb: Dependency; temporal: Dependency };
  /** What a closer look at both found. */
  checks: readonly Check[];
  /** Absent: it could not be read. */
  pendingStarts?: { pending: number; oldest?: Date } | undefined;
  maintenance?: readonly ShownReport[] | undefined;
  version: string;
  temporalUiUrl?: string | undefined;
}

/** Admin, Health: what the instance depends on, what waits, and what to do about what is wrong. */
export function HealthPage(props: HealthPageProps) {
  const { page, dependencies, checks, pendingStarts, maintenance, version, temporalUiUrl } = props;
  const { mongodb, temporal } = dependencies;
  const isGood = mongodb.status === 'up' && temporal.status === 'up' && checks.every(({ level }) => level === 'ok');
  return (
    <AdminLayout page={page} tab="health">
      {isGood ? (
        <p>
          <State level="good">Healthy</State> MongoDB and Temporal are available and configured.
        </p>
      ) : (
        <p>
          <State level="warn">Attention needed</State> Some checks failed. Follow the instructions on each line.
        </p>
      )}
      <h2>Dependencies</h2>
      <div class="card-grid">
        <DependencyCard name="MongoDB" dependency={mongodb} help={OF_MONGODB} />
        <DependencyCard name="Temporal" dependency={temporal} help={OF_TEMPORAL} />
      </div>
      <h2>Diagnostics</h2>
      {checks.length === 0 ? (
        <p class="notice">MongoDB and Temporal are both unavailable. Reload the page later.</p>
      ) : (
        <CheckTable checks={checks} />
      )}
      <h2>Pending runs</h2>
      <PendingStarts of={pendingStarts} />
      <h2>Maintenance</h2>
      <Maintenance reports={maintenance} />
      <h2>For operators</h2>
      <Facts
        of={[
          ['Version', version],
          ['Temporal UI', temporalUiUrl ? <a href={temporalUiUrl}>{temporalUiUrl}</a> : undefined],
          ['Health endpoint for load balancers', '/readyz of the operators’ listener'],
          ['The checks of MongoDB and Temporal on the command line', <code>runhook doctor</code>],
        ]}
      />
    </AdminLayout>
  );
}

const OF_MONGODB = {
  up: 'Stores all runs and settings.',
  remedy:
    'Start it, and check that this server can reach MONGODB_URL. Runs in progress continue. Webhooks return 503 until MongoDB is available; callers can retry.',
};
const OF_TEMPORAL = {
  up: 'Executes accepted runs.',
  remedy:
    'Start it, and check TEMPORAL_ADDRESS and the TLS settings. Triggers are still accepted and no run is lost: pending runs start automatically when Temporal is available.',
};

function DependencyCard(props: { name: string; dependency: Dependency; help: { up: string; remedy: string } }) {
  const { name, dependency, help } = props;
  const { status, message, since } = dependency;
  const level = { up: 'good', degraded: 'warn', down: 'bad' } as const;
  return (
    <section class="card-box" aria-label={name}>
      <h3>
        {name} <State level={level[status]}>{status === 'up' ? 'up' : 'unavailable'}</State>
      </h3>
      {status === 'up' ? (
        <p>{help.up}</p>
      ) : (
        <>
          <p>{message}</p>
          {since ? (
            <p>
              Since <Moment at={new Date(since)} />.
            </p>
          ) : null}
          <p>
            <strong>What to do:</strong> {help.remedy}
          </p>
        </>
      )}
    </section>
  );
}

function CheckTable({ checks }: { checks: readonly Check[] }) {
  const level = { ok: 'good', warn: 'warn', fail: 'bad' } as const;
  return (
    <DataTable
      items={checks}
      columns={[
        { label: 'Checked', cell: ({ name }) => name },
        { label: 'State', cell: ({ level: found }) => <State level={level[found]}>{found}</State> },
        { label: 'Found', cell: ({ message }) => message },
        { label: 'What to do', cell: ({ remedy }) => remedy ?? 'nothing' },
      ]}
    />
  );
}

function PendingStarts({ of }: { of: HealthPageProps['pendingStarts'] }) {
  if (!of) return <p class="notice">Unknown: the database is unavailable. No accepted run is lost.</p>;
  if (of.pending === 0) return <p>None. Every accepted run has been started.</p>;
  return (
    <p>
      {of.pending.toLocaleString('en')} {of.pending === 1 ? 'run waits' : 'runs wait'}
      {of.oldest ? (
        <>
          , the oldest since <Moment at={of.oldest} />
        </>
      ) : null}
      . They start automatically. If the number does not decrease, check Temporal above.
    </p>
  );
}
