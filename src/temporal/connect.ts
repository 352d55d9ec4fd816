import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

export interface Temporal {
  client: Client;
  connection: Connection;
  namespace: string;
}

/**
 * A lazy connection from TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS… or a TOML profile: it makes no call until
 * one is needed. Few attempts, because a call's deadline is soft during the SDK's back-off.
 */
export function openTemporal(): Temporal {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = Connection.lazy({
    ...connectionOptions,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 2 }))],
  });
  return { connection, client: new Client({ connection, namespace }), namespace };
}
