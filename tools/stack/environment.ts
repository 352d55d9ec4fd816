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

/** The environment of the databases, marked so that a later start finds processes left running. */
export function markedEnvironment(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  // Only server, worker and setup need the keys, and only setup the password.
  return { ...env, RUNHOOK_SECRET_KEYS: undefined, RUNHOOK_ADMIN_PASSWORD: undefined, [STACK_VARIABLE]: dataDir };
}

/**
 * The environment of server and worker.
 * @param own which databases belong to the stack: its own Temporal must not get settings for another one, and its own
 *   MongoDB is bound again if the data of its own Temporal was removed
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
    // Short, because Ctrl-C should be quick.
    RUNHOOK_SHUTDOWN_GRACE_SECONDS: env.RUNHOOK_SHUTDOWN_GRACE_SECONDS ?? '1',
    RUNHOOK_DRAIN_SECONDS: env.RUNHOOK_DRAIN_SECONDS ?? '0',
  };
}

/** Removes API keys, TLS settings and profiles of another Temporal. */
function withoutTemporalSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return { ...Object.fromEntries(kept), TEMPORAL_CONFIG_FILE: join(repositoryRoot, 'temporal-config/local.toml') };
}
