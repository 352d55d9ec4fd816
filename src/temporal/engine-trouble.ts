import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { TemporalDeadlineError } from './deadline.js';

/** gRPC: cancelled, deadline exceeded, resource exhausted, internal, unavailable. */
const TROUBLE = new Set([1, 4, 8, 13, 14]);

/** Whether a failed call says that Temporal is down, slow or overloaded, not that the call itself was wrong. */
export function isEngineTrouble(error: unknown): boolean {
  if (error instanceof TemporalDeadlineError) return true;
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && TROUBLE.has(cause.code);
}
