import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { TemporalDeadlineError } from './deadline.js';
import { WrongTemporalError } from './identity.js';

/**
 * Why a call failed that may be repeated as it is: Temporal answered that it has too much to do, or there is no usable
 * answer.
 */
export type EngineTrouble = 'overloaded' | 'unavailable';

/** gRPC: resource exhausted. */
const OVERLOADED = 8;
/** gRPC: canceled, deadline exceeded, internal, unavailable. */
const UNAVAILABLE = new Set([1, 4, 13, 14]);

/** What a failed call says of Temporal; undefined when the call itself was refused. */
export function engineTroubleOf(error: unknown): EngineTrouble | undefined {
  if (error instanceof TemporalDeadlineError || error instanceof WrongTemporalError) return 'unavailable';
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause)) return undefined;
  if (cause.code === OVERLOADED) return 'overloaded';
  return UNAVAILABLE.has(cause.code) ? 'unavailable' : undefined;
}
