import { isGrpcServiceError } from '@temporalio/client';
import type { TemporalIdentity } from '#src/domain/installation.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 3000;
/** gRPC: permission denied, unimplemented. */
const WITHHELD = new Set([7, 12]);

/** The database is bound to another Temporal than this one. */
export class WrongTemporalError extends Error {
  override name = 'WrongTemporalError';
}

/** Asks Temporal who it is. @throws TemporalDeadlineError or the SDK's errors */
export async function identityOf({ connection, namespace }: Temporal): Promise<TemporalIdentity> {
  const { workflowService } = connection;
  // A deadline each: a connection that closes waits for both, also when one has failed.
  const [{ namespaceInfo }, clusterId] = await Promise.all([
    withinDeadline(connection, CALL_MS, () => workflowService.describeNamespace({ namespace })),
    withinDeadline(connection, CALL_MS, () =>
      workflowService.getClusterInfo({}).then(({ clusterId }) => clusterId, unlessWithheld),
    ),
  ]);
  return { namespaceId: namespaceInfo?.id ?? '', namespace, ...(clusterId ? { clusterId } : {}) };
}

function unlessWithheld(error: unknown): undefined {
  if (!isGrpcServiceError(error) || !WITHHELD.has(error.code)) throw error;
}
