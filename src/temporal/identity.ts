import { isGrpcServiceError } from '@temporalio/client';
import type { TemporalIdentity } from '#src/domain/installation.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 3000;
/** gRPC: permission denied, unimplemented. */
const NOT_AVAILABLE = new Set([7, 12]);

/** The database is bound to a different Temporal. */
export class WrongTemporalError extends Error {
  override name = 'WrongTemporalError';
}

/** @throws TemporalDeadlineError or the SDK's errors */
export async function identityOf({ connection, namespace }: Temporal): Promise<TemporalIdentity> {
  const { workflowService } = connection;
  // Separate deadlines, so that closing the connection waits for both calls even if one has failed.
  const [{ namespaceInfo }, clusterId] = await Promise.all([
    withinDeadline(connection, CALL_MS, () => workflowService.describeNamespace({ namespace })),
    withinDeadline(connection, CALL_MS, () =>
      workflowService.getClusterInfo({}).then(({ clusterId }) => clusterId, unlessNotAvailable),
    ),
  ]);
  return { namespaceId: namespaceInfo?.id ?? '', namespace, clusterId: clusterId || undefined };
}

function unlessNotAvailable(error: unknown): undefined {
  if (!isGrpcServiceError(error) || !NOT_AVAILABLE.has(error.code)) throw error;
}
