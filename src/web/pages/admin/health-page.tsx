import type { Check } from '../../../domain/check.js';
import { Facts } from '../../components/facts.js';
import { Moment } from '../../components/moment.js';
import { State } from '../../components/state.js';
import { AdminLayout, type AdminProps } from './admin-layout.js';
import { Maintenance, type ShownReport } from './maintenance.js';

/** One of the servers that Runhook depends on. */
export interface Dependency {
  status: 'up' | 'down' | 'degraded';
  message?: string;
  /** ISO 8601, UTC. */
  since?: string;
}

export interface HealthPageProps extends AdminProps {
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
          <State level="good">all good</State> MongoDB and Temporal answer, and have what Runhook needs.
        </p>
      ) : (
        <p>
          <State level="warn">look here</State> Something needs you. Each line says what to do.
        </p>
      )}
      <h2>Dependencies</h2>
      <div class="card-grid">
        <DependencyCard name="MongoDB" dependency={mongodb} help={OF_MONGODB} />
        <DependencyCard name="Temporal" dependency={temporal} help={OF_TEMPORAL} />
      </div>
      <h2>A closer look</h2>
      {checks.length === 0 ? (
        <p class="notice">Neither answers at the moment, so there is nothing to look at. Load the page again later.</p>
      ) : (
        <CheckTable checks={checks} />
      )}
      <h2>Runs that wait for their start</h2>
      <PendingStarts of={pendingStarts} />
      <h2>Maintenance</h2>
      <Maintenance reports={maintenance} />
      <h2>For operators</h2>
      <Facts
        of={[
          ['Version', version],
          ['Temporal UI', temporalUiUrl ? <a href={temporalUiUrl}>{temporalUiUrl}</a> : undefined],
          ['Health for load balancers', '/readyz of the operators’ listener'],
          ['The same on a machine', <code>runhook doctor</code>],
        ]}
      />
    </AdminLayout>
  );
}

const OF_MONGODB = {
  up: 'Everything that is accepted is kept in it.',
  remedy:
    'Start it again, and check that this server can reach MONGODB_URL. Runs under way go on; webhooks are answered with 503 until it is back, and callers may try again.',
};
const OF_TEMPORAL = {
  up: 'It runs what was accepted.',
  remedy:
    'Start it again, and check TEMPORAL_ADDRESS and its TLS settings. Triggers are still accepted, and nothing is lost: what waits starts by itself when it is back.',
};

function DependencyCard(props: { name: string; dependency: Dependency; help: { up: string; remedy: string } }) {
  const { name, dependency, help } = props;
  const { status, message, since } = dependency;
  const level = { up: 'good', degraded: 'warn', down: 'bad' } as const;
  return (
    <section class="card-box" aria-label={name}>
      <h3>
        {name} <State level={level[status]}>{status === 'up' ? 'up' : 'does not answer'}</State>
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
    <table>
      <thead>
        <tr>
          <th scope="col">Looked at</th>
          <th scope="col">State</th>
          <th scope="col">Found</th>
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        {checks.map(({ level: found, name, message, remedy }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label="State">
              <State level={level[found]}>{found}</State>
            </td>
            <td data-label="Found">{message}</td>
            <td data-label="What to do">{remedy ?? 'nothing'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PendingStarts({ of }: { of: HealthPageProps['pendingStarts'] }) {
  if (!of) return <p class="notice">Not known: the database does not answer. No accepted run is lost.</p>;
  if (of.pending === 0) return <p>None: every accepted run has been started.</p>;
  return (
    <p>
      {of.pending.toLocaleString('en')} {of.pending === 1 ? 'run waits' : 'runs wait'}
      {of.oldest ? (
        <>
          , the oldest since <Moment at={of.oldest} />
        </>
      ) : null}
      . They start by themselves; if the number does not fall, look at Temporal above.
    </p>
  );
}
