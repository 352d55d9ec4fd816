import { hostname } from 'node:os';
import { join } from 'node:path';
import { createAttemptWatch } from '#activities/attempt-watch.js';
import { createExecuteTestActivities } from '#activities/execute-test.js';
import { createPoolActivities } from '#activities/pools.js';
import { recordLeftVerdicts } from '#activities/record-left-verdicts.js';
import { createRunLog } from '#activities/run-log.js';
import { createRunSteps } from '#activities/run-steps.js';
import { createRunRecordActivities } from '#activities/run-records.js';
import { createIsolation } from '#activities/isolation/isolation.js';
import { createLimiter } from '#activities/limits/limiter.js';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import { createProcessRunner } from '#activities/processes/run-process.js';
import { createArtifactSink } from '#activities/results/artifact-sink.js';
import { createOutputCollector } from '#activities/results/collect-outputs.js';
import { createBrowserPool } from '#activities/runners/browser/browser-pool.js';
import { createRunners } from '#activities/runners/runners.js';
import { openSources } from '#activities/sources/sources.js';
import { createLauncher } from '#activities/processes/launcher.js';
import { startReaper } from '#activities/processes/reaper.js';
import { DATABASE_CALL_MS } from '#activities/keep-trying.js';
import { within } from '#src/lib/within.js';
import { createVerdictSpool } from '#activities/verdict-spool.js';
import { createSuiteLineActivities } from '#activities/suite-line.js';
import { createSuiteActivities } from '#activities/suite-expansion.js';
import type { WorkerConfig } from '#src/config.js';
import { readAttemptStates, requestStop } from '#src/db/runs/attempt-states.js';
import { createArtifactUploads } from '#src/db/artifacts/artifact-uploads.js';
import { BACKGROUND_TIMEOUTS, type RefusedUrlError } from '#src/db/connection/connect.js';
import { createPoolStore } from '#src/db/pools/pool-store.js';
import { insertRunCases } from '#src/db/runs/run-cases.js';
import { insertLogLines } from '#src/db/runs/run-logs.js';
import { insertRunSteps } from '#src/db/runs/run-steps.js';
import { createSuiteLineStore } from '#src/db/suite-runs/suite-line-store.js';
import { createSuiteRunStore } from '#src/db/suite-runs/suite-run-store.js';
import { createWorkerStore } from '#src/db/pools/worker-store.js';
import { randomId } from '#src/domain/ids.js';
import type { Logger } from '#src/lib/logger.js';
import { createWorkflowStarter } from '#src/services/trigger/workflow-starter.js';
import { createVariablesOfRun } from '#src/services/variables/variables-of-run.js';
import { startHeartbeats } from '#src/services/instance/worker-heartbeats.js';
import { createMaintenanceActivities } from './maintenance-context.js';
import { createScheduleContext } from './schedule-context.js';
import { createSharedContext } from './shared-context.js';
import { isClosed, isUntaken } from '#src/temporal/describe-run.js';
import { startLimitsOf } from '#src/temporal/start-run.js';
import { signalSuiteLine } from '#src/temporal/signal-suite-line.js';

/** Creates the dependencies of a worker process. */
export async function createWorkerContext(config: WorkerConfig, log: Logger) {
  let refuse!: (error: RefusedUrlError) => void;
  const databaseRefused = new Promise<never>((_, reject) => (refuse = reject));
  const shared = createSharedContext(config, BACKGROUND_TIMEOUTS, log, { onRefused: (error) => refuse(error) });
  const { collections, installations, binding, statuses } = shared;
  const startRun = createWorkflowStarter({ binding, statuses, limits: startLimitsOf(config) });
  const suiteRuns = createSuiteRunStore(collections);
  const suites = createSuiteActivities({ suiteRuns, statuses });
  const workerId = randomId();
  const workers = createWorkerStore(collections);
  const launcher = await createLauncher();
  const limiter = await createLimiter({ workerId, launcher, workerLimits: config.testLimits });
  const reaper = await startReaper(workerId, (message) => log.warn(message), {
    folder: launcher.folder,
    groupFolders: limiter.groupFolders,
  });
  const isolation = await createIsolation({ ...config.isolation, folder: launcher.folder });
  if (isolation.reason) log.warn(`commands of tests are not isolated from this worker: ${isolation.reason}`);
  const variablesOf = createVariablesOfRun(collections, config.secretKeys);
  const browsers = createBrowserPool({
    workerId,
    reaper,
    folder: join(config.workFolder, 'browsers'),
    executables: config.browsers,
  });
  const processes = createProcessRunner({ workerId, reaper, launcher, limiter, isolation });
  const uploads = createArtifactUploads(collections, config.artifacts.projectBytes);
  const guard = createNetworkGuard({
    privateNetworks: config.privateNetworks,
    allowed: config.allowedNetworks,
    refused: config.refusedNetworks,
  });
  const sources = await openSources({
    ...config,
    isolates: isolation.level !== 'none',
    workerId,
    processes,
    guard,
    warn: (message) => log.warn(message),
  });
  const runners = createRunners({ processes, browsers, guard });
  const verdicts = createVerdictSpool(join(config.workFolder, 'verdicts'));
  const closed = new AbortController();
  const leftVerdicts = recordLeftVerdicts({ verdicts, statuses, log }, closed.signal).catch((error: unknown) => {
    log.error({ err: error }, 'could not read verdicts left by a previous worker');
  });
  const schedules = createScheduleContext(shared, config, startRun);

  return {
    binding,
    installations,
    workflowQueueActivities: {
      ...createRunRecordActivities({ statuses, requestStop: (runId) => requestStop(collections.runs, runId) }),
      ...suites,
      ...createSuiteLineActivities({
        find: suiteRuns.find,
        ...createSuiteLineStore(collections),
        signalSuiteLine: async (queue, suiteId, arrival) =>
          signalSuiteLine(await binding.use(), queue, suiteId, arrival),
      }),
      ...createPoolActivities({ workers, isUntaken: async (runId) => isUntaken(await binding.use(), runId) }),
      ...schedules.activities,
      ...createMaintenanceActivities(shared, config, startRun),
    },
    runnerQueueActivities: createExecuteTestActivities({
      statuses,
      worker: `${hostname()}:${process.pid}`,
      runnerOf: runners.of,
      openSteps: (run, delivery, mask) =>
        createRunSteps({
          steps: {
            insert: (steps) => within(DATABASE_CALL_MS, 'The database write', insertRunSteps(collections, steps)),
          },
          runId: run._id,
          delivery,
          mask,
          warn: (message) => log.warn(message),
        }),
      openWorkspace: sources.openWorkspace,
      collectOutputs: createOutputCollector({ cases: { insert: (cases) => insertRunCases(collections, cases) } }),
      artifactsOf: (run, { attempt, delivery }, surroundings) =>
        createArtifactSink({
          uploads,
          place: { runId: run._id, projectId: run.projectId, attempt, delivery },
          limits: config.artifacts,
          ...surroundings,
        }),
      variablesOf,
      openLog: (runId, { attempt, delivery }, signal, mask) =>
        createRunLog({
          runLogs: {
            insert: (lines) =>
              within(DATABASE_CALL_MS, 'The database write', insertLogLines(collections.runLogs, lines)),
          },
          runId,
          attempt,
          delivery,
          maxBytes: config.logMaxBytes,
          signal,
          mask,
          warn: (message) => log.warn(message),
        }),
      isPoolOpen: createPoolStore(collections).isOpen,
      isWorkflowClosed: async (runId) => isClosed(await binding.use(), runId),
      verdicts,
      watch: createAttemptWatch({ findRuns: (ids) => readAttemptStates(collections.runs, ids) }),
      heartbeatMs: config.heartbeatMs,
    }),
    /** Rejects when the connection string is refused, which ends the process. */
    databaseRefused,
    /** Registers this process as a runner of its pools. */
    startHeartbeats: () =>
      startHeartbeats({
        workers,
        worker: {
          _id: workerId,
          host: hostname(),
          pid: process.pid,
          pools: config.pools,
          workflows: config.workflows,
          slots: config.slots,
          limits: limiter.means,
          isolation: isolation.level,
          ...(config.deployment ? { buildId: config.deployment.buildId } : {}),
        },
        log,
      }),
    async close() {
      closed.abort();
      await Promise.all([runners.close(), sources.close()]);
      schedules.close();
      await launcher.stop();
      await reaper.stop();
      await Promise.all([shared.close(), leftVerdicts]);
    },
  };
}
