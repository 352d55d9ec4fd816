import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { TemporalDeadlineError } from './deadline.js';
import { WrongTemporalError } from './identity.js';

/** Why a call failed that can be retried: Temporal reports an overload, or does not respond properly. */
export type EngineTrouble = 'overloaded' | 'unavailable';

/** gRPC: resource exhausted. */
const OVERLOADED = 8;
/** gRPC: canceled, deadline exceeded, internal, unavailable. */
const UNAVAILABLE = new Set([1, 4, 13, 14]);

/** Classifies a failed call; undefined when Temporal has rejected the call itself. */
export function engineTroubleOf(error: unknown): EngineTrouble | undefined {
  if (error instanceof TemporalDeadlineError || error instanceof WrongTemporalError) return 'unavailable';
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause)) return undefined;
  if (cause.code === OVERLOADED) return 'overloaded';
  return UNAVAILABLE.has(cause.code) ? 'unavailable' : undefined;
}
