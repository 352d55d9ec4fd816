import type { Run } from '#src/domain/runs/run.js';
import { Moment } from '#src/web/components/moment.js';

/** A start is usually a matter of milliseconds: after this many something is in the way. */
const SOON_MS = 5000;

/** What a queued run waits for. */
export function Waiting({ run, now }: { run: Run; now: Date }) {
  if (run.status !== 'queued') return null;
  const since = <Moment at={run.queuedAt} />;
  const isLate = now.getTime() - run.queuedAt.getTime() > SOON_MS;
  if (run.dispatch && (run.dispatch.attempts > 0 || isLate))
    return (
      <p class="notice">
        Waiting for Temporal since {since}. The run is saved and starts automatically when Temporal accepts it.
      </p>
    );
  if (run.reason)
    return (
      <p class="notice">
        Waiting: {run.reason}. {run.kind === 'test' ? <StartRunner pool={run.definition.pool} /> : null}
      </p>
    );
  if (run.dispatch || !isLate) return null;
  if (run.kind === 'test' && run.suiteRunId) return <p class="notice">Waiting for a free slot in the suite.</p>;
  return (
    <p class="notice">
      Waiting for a worker since {since}.{' '}
      {run.kind === 'test' ? (
        <>
          All workers of the pool <code>{run.definition.pool}</code> are busy, or none is running.
        </>
      ) : null}
    </p>
  );
}

function StartRunner({ pool }: { pool: string }) {
  return (
    <>
      Start a worker with <code>RUNHOOK_POOLS={pool}</code>; the run then starts automatically.
    </>
  );
}
