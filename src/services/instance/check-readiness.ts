import pTimeout from 'p-timeout';
import type { DatabaseClock } from '#src/db/connection/database-clock.js';
import { WrongTemporalError } from '#src/temporal/identity.js';

const PING_MS = 1500;

export interface DependencyState {
  status: 'up' | 'down' | 'degraded';
  message?: string;
  /** ISO 8601, UTC. */
  since?: string | undefined;
}

export interface Readiness {
  status: 'ready' | 'not ready';
  draining: boolean;
  dependencies: { mongodb: DependencyState; temporal: DependencyState };
}

export type ReadinessCheck = () => Promise<Readiness>;

export interface ReadinessDeps {
  /** Read to check the database: without its clock no trigger can be accepted either. */
  clock: Pick<DatabaseClock, 'read'>;
  /** Why the connection to the database was refused permanently. */
  refusal: () => string | undefined;
  /** Names of missing indexes: queries with a hint for one of them fail. */
  missingIndexes: () => Promise<string[]>;
  isDraining: () => boolean;
  engineDownSince: () => Date | undefined;
  isTemporalServing: () => Promise<boolean>;
  /** @throws WrongTemporalError when the database is bound to another Temporal */
  checkBinding: () => Promise<void>;
}

/**
 * A server is ready when it can accept triggers, which requires MongoDB only; while Temporal is down, accepted runs wait.
 * A Temporal that the database is not bound to is a configuration error: not ready.
 */
export function createReadinessCheck(deps: ReadinessDeps): ReadinessCheck {
  return async () => {
    const [mongodb, temporal] = await Promise.all([mongodbState(deps), temporalState(deps)]);
    const draining = deps.isDraining();
    const status = mongodb.status === 'up' && temporal.status !== 'down' && !draining ? 'ready' : 'not ready';
    return { status, draining, dependencies: { mongodb, temporal } };
  };
}

async function mongodbState({ clock, refusal, missingIndexes }: ReadinessDeps): Promise<DependencyState> {
  const refused = refusal();
  if (refused !== undefined) return { status: 'down', message: refused };
  try {
    const [missing] = await pTimeout(Promise.all([missingIndexes(), clock.read()]), {
      milliseconds: PING_MS,
      message: `no response within ${PING_MS} ms`,
    });
    if (missing.length === 0) return { status: 'up' };
    return { status: 'down', message: `Indexes are missing: ${missing.join(', ')}. Run \`runhook setup\`.` };
  } catch (error) {
    return {
      status: 'down',
      message: `MongoDB is not responding (${(error as Error).message}). Triggers are rejected with 503 until it does.`,
    };
  }
}

async function temporalState(deps: ReadinessDeps): Promise<DependencyState> {
  if (await deps.isTemporalServing()) return bindingState(deps.checkBinding);
  const since = deps.engineDownSince();
  return {
    status: 'degraded',
    message: 'Temporal is unavailable. Triggers are accepted, and their runs start when it is available again.',
    since: since?.toISOString(),
  };
}

async function bindingState(check: () => Promise<void>): Promise<DependencyState> {
  try {
    await check();
  } catch (error) {
    // An unavailable store is reported separately.
    if (error instanceof WrongTemporalError) return { status: 'down', message: error.message };
  }
  return { status: 'up' };
}
