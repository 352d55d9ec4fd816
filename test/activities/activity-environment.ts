import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** Runs one activity in a test environment. @param delivery from 1, as Temporal counts its attempts */
export function activityEnvironment(
  delivery = 1,
  info: ConstructorParameters<typeof MockActivityEnvironment>[0] = {},
): MockActivityEnvironment {
  return new MockActivityEnvironment({ attempt: delivery, ...info }, { logger: new DefaultLogger('ERROR') });
}
