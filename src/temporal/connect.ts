import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

export interface Temporal {
  client: Client;
  connection: Connection;
  namespace: string;
}

/** Temporal as one installation uses it. */
export interface InstallationTemporal extends Temporal {
  installationId: string;
  /** Runs and schedules of a version without installation ids may be left: its names are ours too. */
  hasLegacyNames: boolean;
}

/**
 * A lazy connection from TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS… or a TOML profile: it makes no call until
 * one is needed. Few attempts, because a call's deadline is soft during the SDK's back-off.
 * @param env in place of the process's environment
 */
export function openTemporal(env?: Record<string, string>): Temporal {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig(env && { overrideEnvVars: env });
  const connection = Connection.lazy({
    ...connectionOptions,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 2 }))],
  });
  return { connection, client: new Client({ connection, namespace }), namespace };
}
