import type { ServerConfig } from '#src/config.js';
import { createPendingStarts, type PendingRun } from '#src/db/runs/pending-starts.js';
import { watchTemporalSetUp } from '#src/services/instance/watch-temporal-set-up.js';
import { startDispatcher } from '#src/services/trigger/dispatcher.js';
import { createWorkflowStarter } from '#src/services/trigger/workflow-starter.js';
import { engineTroubleOf } from '#src/temporal/engine-trouble.js';
import { hasSchedules } from '#src/temporal/schedules.js';
import { setUpTemporal } from '#src/temporal/set-up.js';
import { startLimitsOf } from '#src/temporal/start-run.js';
import type { SharedContext } from './shared-context.js';

/** Starts the workflows of triggered runs, and sets Temporal up again when a start fails because of a missing setup. */
export function createStartContext(
  { collections, clock, binding, statuses, log }: SharedContext,
  config: ServerConfig,
) {
  const pending = createPendingStarts(collections, clock);
  const startedListeners: ((run: PendingRun) => void)[] = [];
  const setUpWatch = watchTemporalSetUp({
    setUp: async () => setUpTemporal(await binding.use()),
    isSetUp: async () => hasSchedules(await binding.use()),
    log,
  });
  const onRefused = () => setUpWatch.startRefused();
  const dispatcher = startDispatcher({
    pending,
    log,
    start: createWorkflowStarter({ binding, statuses, limits: startLimitsOf(config), onUnlisted: onRefused }),
    engineTroubleOf,
    inFlight: config.startsInFlight,
    maxPending: config.maxPending,
    startDeadlineMs: config.startDeadlineMs,
    onRefused,
    onStarted: (run) => startedListeners.forEach((listener) => listener(run)),
  });
  return {
    pending,
    dispatcher,
    /** Called for each run that this process has started. */
    onStarted: (listener: (run: PendingRun) => void) => void startedListeners.push(listener),
    close: () => setUpWatch.stop(),
  };
}
