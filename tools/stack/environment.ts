import { join } from 'node:path';
import { STACK_VARIABLE } from './leftovers.js';
import { repositoryRoot } from './paths.js';

export interface Addresses {
  baseUrl: string;
  port: number;
  opsPort: number;
  temporalAddress: string;
  temporalNamespace: string;
  temporalUiUrl?: string;
  mongodbUrl: string;
}

/** The environment of the databases: ours, with the mark by which a later start finds what was left running. */
export function markedEnvironment(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  // Only server, worker and set-up need the keys, and only set-up the password.
  return { ...env, RUNHOOK_SECRET_KEYS: undefined, RUNHOOK_ADMIN_PASSWORD: undefined, [STACK_VARIABLE]: dataDir };
}

/**
 * The environment of server and worker.
 * @param own which stores are the stack's own: settings for another Temporal must not reach its own one, and a database
 *   of its own follows a Temporal of its own, whose data somebody may have removed
 */
export function appEnvironment(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  addresses: Addresses,
  own: { temporal: boolean; mongodb: boolean },
): NodeJS.ProcessEnv {
  return {
    ...markedEnvironment(own.temporal ? withoutTemporalSettings(env) : env, dataDir),
    MONGODB_URL: addresses.mongodbUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: addresses.temporalNamespace,
    RUNHOOK_PORT: String(addresses.port),
    RUNHOOK_OPS_PORT: String(addresses.opsPort),
    RUNHOOK_PUBLIC_URL: addresses.baseUrl,
    RUNHOOK_TEMPORAL_UI_URL: addresses.temporalUiUrl,
    RUNHOOK_REBIND_TEMPORAL: own.temporal && own.mongodb ? 'true' : env.RUNHOOK_REBIND_TEMPORAL,
    // Ctrl-C should not take long here.
    RUNHOOK_SHUTDOWN_GRACE_SECONDS: env.RUNHOOK_SHUTDOWN_GRACE_SECONDS ?? '1',
    RUNHOOK_DRAIN_SECONDS: env.RUNHOOK_DRAIN_SECONDS ?? '0',
  };
}

/** Without API keys, TLS and profiles that are meant for a Temporal elsewhere. */
function withoutTemporalSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return { ...Object.fromEntries(kept), TEMPORAL_CONFIG_FILE: join(repositoryRoot, 'temporal-config/local.toml') };
}
