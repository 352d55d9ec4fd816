import type { ServerConfig } from '#src/config.js';
import { REQUEST_TIMEOUTS } from '#src/db/connection/connect.js';
import { createAuditStore } from '#src/db/instance/audit-store.js';
import { readReports } from '#src/db/instance/maintenance.js';
import { createMembershipStore } from '#src/db/people/membership-store.js';
import { createSessionStore } from '#src/db/people/session-store.js';
import { createUserStore } from '#src/db/people/user-store.js';
import { createPoolQueues } from '#src/db/pools/pool-queues.js';
import { createWorkerStore } from '#src/db/pools/worker-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { createRunCounter } from '#src/db/runs/count-runs.js';
import { createRunChanges } from '#src/db/runs/run-changes.js';
import { createLogReads } from '#src/db/runs/run-logs.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { missingIndexes } from '#src/db/schema/set-up.js';
import { createApiTokenStore } from '#src/db/tokens/api-token-store.js';
import { createCredentialLookup } from '#src/db/tokens/credential-lookup.js';
import { createTokenUses } from '#src/db/tokens/token-uses.js';
import type { Logger } from '#src/lib/logger.js';
import { VERSION } from '#src/package.js';
import { createLiveStreams } from '#src/server/live/live-streams.js';
import { createAccessControl } from '#src/services/access/access-control.js';
import { createAuthenticator } from '#src/services/access/authenticate.js';
import { createProjectFinder } from '#src/services/access/project-finder.js';
import { checkOpenDatabase } from '#src/services/doctor/check-database.js';
import { checkOpenTemporal } from '#src/services/doctor/check-temporal.js';
import { createReadinessCheck } from '#src/services/instance/check-readiness.js';
import { createInstanceServices } from '#src/services/instance/instance-services.js';
import { watchIndexes } from '#src/services/instance/watch-indexes.js';
import { removeIdleBuckets } from '#src/services/limits/remove-idle-buckets.js';
import { createCredentialThrottle } from '#src/services/limits/credential-throttle.js';
import { createLive } from '#src/services/live/live.js';
import { createStreamRights } from '#src/services/live/stream-rights.js';
import { createAudit } from '#src/services/people/audit-log.js';
import { createPeopleServices } from '#src/services/people/people-services.js';
import { checkPools } from '#src/services/pools/check-pools.js';
import { createPoolStates } from '#src/services/pools/pool-states.js';
import { createPoolServices } from '#src/services/pools/pool-services.js';
import { watchPools } from '#src/services/pools/watch-pools.js';
import { createRunReader } from '#src/services/runs/run-reader.js';
import { createRunServices } from '#src/services/runs/run-services.js';
import { createStatsServices } from '#src/services/stats/stats-services.js';
import { createDefinitionServices } from '#src/services/targets/definition-services.js';
import { createTokenServices } from '#src/services/tokens/token-services.js';
import { cancelRun } from '#src/temporal/cancel-run.js';
import type { Temporal } from '#src/temporal/connect.js';
import { describeQueue } from '#src/temporal/describe-queue.js';
import { isTemporalServing } from '#src/temporal/is-serving.js';
import { runnerQueue, workflowQueue } from '#workflows/messages.js';
import { createBackgroundContext } from './background-context.js';
import { createSharedContext } from './shared-context.js';
import { createStartContext } from './start-context.js';
import { createTriggerContext } from './trigger-context.js';

export type ServerContext = ReturnType<typeof createServerContext>;

/**
 * Creates the dependencies of a server process.
 * @param overrides for tests
 */
export function createServerContext(
  config: ServerConfig,
  log: Logger,
  isDraining: () => boolean,
  overrides: { temporal?: Temporal } = {},
) {
  const shared = createSharedContext(config, REQUEST_TIMEOUTS, log, overrides);
  const { database, collections, clock, temporal, binding } = shared;
  const starts = createStartContext(shared, config);
  const { dispatcher, pending } = starts;
  const background = createBackgroundContext(shared);
  const tokenUses = createTokenUses(collections, log);
  const { trigger, buckets, ...triggerContext } = createTriggerContext(shared, config, { dispatcher, tokenUses });
  const bucketCare = removeIdleBuckets(buckets, clock, log);
  const refusals = createCredentialThrottle({ ...config.limits, isKnown: createCredentialLookup(collections) });

  const queues = createPoolQueues(collections);
  const workers = createWorkerStore(collections);
  const poolWatch = watchPools({ queues, workers, log });
  const queue = async () => workflowQueue((await binding.use()).installationId);
  const poolStates = createPoolStates({
    workers,
    queues,
    describeRunnerQueue: async (pool) => describeQueue(temporal, runnerQueue(await queue(), pool), 'activity'),
  });

  const access = createAccessControl({
    memberships: createMembershipStore(collections),
    projects: createProjectStore(collections),
  });
  const serviceDeps = {
    collections,
    clock,
    secretKeys: config.secretKeys,
    publicUrl: config.publicUrl,
    limits: config.limits,
    audit: createAudit(createAuditStore(collections), clock),
    access,
  };
  const live = createLive({
    changes: createRunChanges(collections),
    logs: createLogReads(collections.runLogs),
    clock,
    log,
  });
  const checkReadiness = createReadinessCheck({
    clock,
    refusal: database.refusal,
    missingIndexes: watchIndexes(() => missingIndexes(collections)),
    isDraining,
    engineDownSince: dispatcher.engineDownSince,
    isTemporalServing: () => isTemporalServing(temporal),
    checkBinding: async () => void (await binding.use()),
  });

  return {
    clock,
    dispatcher,
    refusals,
    auth: {
      authenticator: createAuthenticator({
        users: createUserStore(collections),
        sessions: createSessionStore(collections),
        apiTokens: createApiTokenStore(collections),
        clock,
        sessionMs: config.sessionMs,
        sessionMaxMs: config.sessionMaxMs,
      }),
      access,
    },
    onStarted: starts.onStarted,
    routes: {
      trigger,
      refusals,
      reader: createRunReader(collections),
      streams: createLiveStreams({
        live,
        log,
        maxStreams: config.limits.streams,
        rights: createStreamRights(collections, clock, config),
      }),
      version: VERSION,
      clock,
      owners: createProjectFinder(collections),
      people: createPeopleServices({
        ...serviceDeps,
        sessionMs: config.sessionMs,
        sessionMaxMs: config.sessionMaxMs,
        openId: config.openId,
      }),
      tokens: createTokenServices(serviceDeps),
      pools: createPoolServices(serviceDeps),
      definitions: createDefinitionServices(serviceDeps, background.scheduleChanged),
      runs: createRunServices({
        ...serviceDeps,
        trigger,
        cancel: async (runId) => cancelRun(await binding.use(), runId),
        isDraining,
      }),
      instance: createInstanceServices({
        checkReadiness,
        pending,
        workers,
        queues,
        poolStates,
        checkPools: () => checkPools({ poolStates, queues }),
        readReports: () => readReports(collections),
        checkOpenDatabase: () => checkOpenDatabase(database, config.secretKeys),
        checkOpenTemporal: () => checkOpenTemporal(temporal, binding),
        describeWorkflowQueue: async () => describeQueue(temporal, await queue(), 'workflow'),
      }),
      stats: createStatsServices(collections, clock),
      publicUrl: config.publicUrl,
      sessionMs: config.sessionMs,
      visibleProjects: access.visibleProjects,
      temporalUi: config.temporalUiUrl ? { url: config.temporalUiUrl, namespace: temporal.namespace } : undefined,
    },
    metricsSource: {
      pendingStarts: pending.count,
      starts: dispatcher.state,
      refusedSchedules: createScheduleStore(collections).countRefused,
      runsByStatus: createRunCounter(collections),
      runners: poolStates,
      maintenance: () => readReports(collections),
    },
    checkReadiness,
    async close() {
      live.close();
      await Promise.all([poolWatch.stop(), background.close()]);
      triggerContext.close();
      bucketCare.stop();
      tokenUses.close();
      starts.close();
      await shared.close();
    },
  };
}
