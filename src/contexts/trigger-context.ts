import type { Clock } from '#src/domain/clock.js';
import type { ServerConfig } from '#src/config.js';
import { createRateBuckets } from '#src/db/instance/rate-buckets.js';
import { openProjectSettings } from '#src/db/projects/project-settings.js';
import { createOpenRunCounter, createWaitingRunCounter } from '#src/db/runs/count-open-runs.js';
import { createRunInserter } from '#src/db/runs/insert-run.js';
import { createTargetFinder } from '#src/db/targets/find-target.js';
import { createTriggerLimiter } from '#src/services/limits/trigger-limiter.js';
import { createRunTrigger, type RunTriggerDeps } from '#src/services/trigger/trigger-run.js';
import type { SharedContext } from './shared-context.js';

/** The trigger path, in servers for webhooks, API and web, in workers for schedules. */
export function createTriggerContext(
  { collections, clock, log }: Pick<SharedContext, 'collections' | 'log'> & { clock: Clock },
  config: Pick<ServerConfig, 'retentionMs' | 'limits'>,
  { dispatcher, tokenUses }: Pick<RunTriggerDeps, 'dispatcher' | 'tokenUses'>,
) {
  const settings = openProjectSettings(collections, config, log);
  const buckets = createRateBuckets(collections);
  const inserter = createRunInserter(collections);
  return {
    buckets,
    inserter,
    trigger: createRunTrigger({
      finder: createTargetFinder(collections),
      inserter,
      limiter: createTriggerLimiter({
        buckets,
        countOpen: createOpenRunCounter(collections),
        countWaiting: createWaitingRunCounter(collections),
        limitsOf: settings.limitsOf,
      }),
      tokenUses,
      clock,
      dispatcher,
      retentionMs: settings.retentionMs,
    }),
    close: () => settings.close(),
  };
}
