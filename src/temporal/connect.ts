import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

export interface Temporal {
  client: Client;
  connection: Connection;
  namespace: string;
}

export interface InstallationTemporal extends Temporal {
  installationId: string;
  /** Runs and schedules of a version without installation ids may still exist under the legacy names. */
  hasLegacyNames: boolean;
}

/**
 * A lazy connection from TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS… or a TOML profile. Few attempts, because the
 * SDK does not enforce a call's deadline during backoff.
 * @param env replaces the process's environment
 */
export function openTemporal(env?: Record<string, string>): Temporal {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig(env && { overrideEnvVars: env });
  const connection = Connection.lazy({
    ...connectionOptions,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 2 }))],
  });
  return { connection, client: new Client({ connection, namespace }), namespace };
}
