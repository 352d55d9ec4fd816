import type { ServerConfig } from './config.js';
import { createApiTokenStore } from './db/api-tokens.js';
import { createAuditStore } from './db/audit.js';
import { collectionsOf } from './db/collections.js';
import { openDatabase, REQUEST_TIMEOUTS } from './db/connect.js';
import { createEndedRunCounts } from './db/count-ended.js';
import { createOpenRunCounter, createWaitingRunCounter } from './db/count-open-runs.js';
import { createCredentialLookUp } from './db/credential-look-up.js';
import { createTargetFinder } from './db/find-target.js';
import { createRunInserter } from './db/insert-run.js';
import { createPendingStarts, type PendingRun } from './db/pending-starts.js';
import { createPoolQueues } from './db/pool-queues.js';
import { createRunCounter } from './db/count-runs.js';
import { createInstallationStore } from './db/installation.js';
import { createLeaseStore } from './db/leases.js';
import { createMembershipStore } from './db/memberships.js';
import { createSessionStore } from './db/sessions.js';
import { missingIndexes } from './db/set-up.js';
import { createUserStore } from './db/users.js';
import { createRunStatusStore } from './db/run-status.js';
import { createRateBuckets } from './db/rate-buckets.js';
import { createScheduleStore } from './db/schedules.js';
import { createTokenUses } from './db/token-uses.js';
import { createWorkerStore } from './db/workers.js';
import { readReports } from './db/maintenance.js';
import { createRemovedProjectStore } from './db/removed-projects.js';
import { createProjectStore } from './db/projects.js';
import { openProjectSettings } from './db/project-settings.js';
import { runnerQueue, workflowQueue } from '../workflows/messages.js';
import { randomId } from './domain/ids.js';
import type { Logger } from './logger.js';
import { VERSION } from './package.js';
import { createAccessControl } from './services/access.js';
import { createAudit } from './services/audit.js';
import { createAuthenticator } from './services/authenticate.js';
import { createDefinitionServices } from './services/definitions.js';
import { lookAtDatabase } from './services/doctor/check-database.js';
import { lookAtTemporal } from './services/doctor/check-temporal.js';
import { stopRemovedRuns } from './services/definitions/stop-removed-runs.js';
import { createInstanceServices } from './services/instance.js';
import { createPeopleServices } from './services/people.js';
import { createProjectFinder } from './services/project-finder.js';
import { createRunServices } from './services/runs.js';
import { createPoolServices } from './services/pools.js';
import { createTokenServices } from './services/tokens.js';
import { countRunners } from './services/count-runners.js';
import { createReadinessCheck } from './services/check-readiness.js';
import { startDispatcher } from './services/dispatcher.js';
import { keepSetUp } from './services/keep-set-up.js';
import { careForBuckets } from './services/limits/care-for-buckets.js';
import { createRefusalGuard } from './services/limits/refusal-guard.js';
import { createTriggerLimiter } from './services/limits/trigger-limiter.js';
import { createRunChanges } from './db/run-changes.js';
import { createLogReads } from './db/run-logs.js';
import { createStreamRights } from './services/live/stream-rights.js';
import { createLiveStreams } from './server/live/live-streams.js';
import { createLive } from './services/live/live.js';
import { createRunReader } from './services/read-runs.js';
import { createStatsServices } from './services/stats.js';
import { keepStats } from './services/stats/keep-stats.js';
import { keepSchedules } from './services/schedules/keep-schedules.js';
import { createRunStarter } from './services/run-starter.js';
import { createTemporalBinding } from './services/temporal-binding.js';
import { createRunTrigger } from './services/trigger-run.js';
import { watchIndexes } from './services/watch-indexes.js';
import { watchPools } from './services/watch-pools.js';
import { cancelRun } from './temporal/cancel-run.js';
import { openTemporal } from './temporal/connect.js';
import { closeConnection } from './temporal/deadline.js';
import { describeQueue } from './temporal/describe-queue.js';
import { engineTroubleOf } from './temporal/engine-trouble.js';
import { isTemporalServing } from './temporal/is-serving.js';
import { identityOf } from './temporal/identity.js';
import { removeLegacySchedules } from './temporal/legacy-schedules.js';
import { hasSchedules } from './temporal/schedules.js';
import { setUpTemporal } from './temporal/set-up.js';
import { startLimitsOf } from './temporal/start-run.js';
import { isAsWanted, isRefusal, putSchedule, removeSchedule, shownSchedules } from './temporal/target-schedules.js';

/** Builds what a server process is made of, once. Neither store needs to be there yet. */
export function createServerContext(config: ServerConfig, log: Logger, isDraining: () => boolean) {
  const database = openDatabase(config.mongodbUrl, REQUEST_TIMEOUTS, log);
  const collections = collectionsOf(database.db);
  const { clock } = database;
  const temporal = openTemporal();
  const pending = createPendingStarts(collections, clock);
  const settings = openProjectSettings(collections, { retentionMs: config.retentionMs, limits: config.limits }, log);
  const startedListeners: ((run: PendingRun) => void)[] = [];
  const binding = createTemporalBinding({
    temporal,
    identify: () => identityOf(temporal),
    store: createInstallationStore(collections),
    follows: config.rebindsTemporal,
    log,
  });
  const setUpKeeper = keepSetUp({
    setUp: async () => setUpTemporal(await binding.use()),
    isSetUp: async () => hasSchedules(await binding.use()),
    log,
  });

  const dispatcher = startDispatcher({
    pending,
    log,
    start: createRunStarter({
      binding,
      statuses: createRunStatusStore(collections.runs),
      limits: startLimitsOf(config),
      onUnlisted: () => setUpKeeper.startRefused(),
    }),
    engineTroubleOf,
    inFlight: config.startsInFlight,
    maxPending: config.maxPending,
    startDeadlineMs: config.startDeadlineMs,
    onRefused: () => setUpKeeper.startRefused(),
    onStarted: (run) => startedListeners.forEach((listener) => listener(run)),
  });

  const queue = async () => workflowQueue((await binding.use()).installationId);
  const queues = createPoolQueues(collections);
  const workers = createWorkerStore(collections);
  const poolWatch = watchPools({ queues, workers, log });
  const statsKeeper = keepStats({
    counts: createEndedRunCounts(collections),
    lease: createLeaseStore(collections, 'stats', randomId()),
    log,
  });

  const cancel = async (runId: string) => cancelRun(await binding.use(), runId);
  const removedRunsStopper = stopRemovedRuns({
    removed: createRemovedProjectStore(collections),
    statuses: createRunStatusStore(collections.runs),
    cancel,
    lease: createLeaseStore(collections, 'removed-runs', randomId()),
    log,
  });

  const schedules = createScheduleStore(collections);
  const scheduleKeeper = keepSchedules({
    schedules,
    engine: {
      shown: async () => shownSchedules(await binding.use()),
      isAsWanted,
      put: async (schedule) => putSchedule(await binding.use(), schedule),
      remove: async (id) => removeSchedule(await binding.use(), id),
      removeLegacy: async () => removeLegacySchedules(await binding.use(), schedules.known),
      isRefusal,
    },
    lease: createLeaseStore(collections, 'schedules', randomId()),
    log,
  });

  const access = createAccessControl({
    memberships: createMembershipStore(collections),
    projects: createProjectStore(collections),
  });
  const buckets = createRateBuckets(collections);
  const bucketCare = careForBuckets(buckets, clock, log);
  const tokenUses = createTokenUses(collections, log);
  const refusals = createRefusalGuard({ ...config.limits, isKnown: createCredentialLookUp(collections) });
  const limiter = createTriggerLimiter({
    buckets,
    countOpen: createOpenRunCounter(collections),
    countWaiting: createWaitingRunCounter(collections),
    limitsOf: settings.limitsOf,
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

  const trigger = createRunTrigger({
    finder: createTargetFinder(collections),
    inserter: createRunInserter(collections),
    limiter,
    tokenUses,
    clock,
    dispatcher,
    retentionMs: settings.retentionMs,
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
    doors: {
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
    onStarted: (listener: (run: PendingRun) => void) => void startedListeners.push(listener),
    routes: {
      trigger,
      refusals,
      reader: createRunReader(collections),
      streams: createLiveStreams({
        live,
        log,
        most: config.limits.streams,
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
      definitions: createDefinitionServices(serviceDeps, scheduleKeeper.changed),
      runs: createRunServices({
        ...serviceDeps,
        trigger,
        cancel,
        isDraining,
      }),
      instance: createInstanceServices({
        checkReadiness,
        pending,
        workers,
        queues,
        readReports: () => readReports(collections),
        lookAtDatabase: () => lookAtDatabase(database, config.secretKeys),
        lookAtTemporal: () => lookAtTemporal(temporal, binding),
        describeRunnerQueue: async (pool) => describeQueue(temporal, runnerQueue(await queue(), pool), 'activity'),
        describeWorkflowQueue: async () => describeQueue(temporal, await queue(), 'workflow'),
      }),
      stats: createStatsServices(collections, clock),
      publicUrl: config.publicUrl,
      sessionMs: config.sessionMs,
      visibleProjects: access.visibleProjects,
      ...(config.temporalUiUrl ? { temporalUi: { url: config.temporalUiUrl, namespace: temporal.namespace } } : {}),
    },
    metricsSource: {
      pendingStarts: pending.count,
      starts: dispatcher.state,
      refusedSchedules: schedules.countRefused,
      runsByStatus: createRunCounter(collections),
      runners: () => countRunners({ workers, queues }),
      maintenance: () => readReports(collections),
    },
    checkReadiness,
    async close() {
      poolWatch.stop();
      live.close();
      await Promise.all([statsKeeper.stop(), scheduleKeeper.stop(), removedRunsStopper.stop()]);
      settings.close();
      bucketCare.stop();
      tokenUses.close();
      setUpKeeper.stop();
      await Promise.all([database.close(), closeConnection(temporal.connection)]);
    },
  };
}
