import { createRunLists } from '#src/db/runs/list-runs.js';
import { createVariableSetStore } from '#src/db/variables/variable-set-store.js';
import { createRunQueries } from '#src/db/runs/read-runs.js';
import { createLogReads } from '#src/db/runs/run-logs.js';
import { runStepsOf } from '#src/db/runs/run-steps.js';
import { pageOfCases } from '#src/db/runs/run-cases.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import { suiteSlots } from '#src/db/suite-runs/suite-slots.js';
import { createSuiteRunStore } from '#src/db/suite-runs/suite-run-store.js';
import { createArtifactReader } from './artifact-reader.js';
import { findRun } from './find-run.js';
import { createLogFollower } from './follow-log.js';
import { createRunLister } from './list-runs.js';
import { createVariableSetServices } from '#src/services/variables/variable-set-services.js';
import { createCaseReader } from './read-cases.js';
import { createLogReader } from './read-log.js';
import { createRerunner } from './rerun.js';
import { createRunStarter } from './start-run.js';
import { createRunStopper } from './stop-run.js';
import { showCounts, showRun } from './show-run.js';
import { createStepReader } from './step-reader.js';
import { createSlotReader } from './slot-reader.js';
import type { ServiceDeps } from '#src/services/service-deps.js';
import type { RunTrigger } from '#src/services/trigger/trigger-run.js';

export type RunServices = ReturnType<typeof createRunServices>;

export interface RunServiceDeps extends ServiceDeps {
  trigger: Pick<RunTrigger, 'byApi'>;
  /** See StopRunDeps. */
  cancel(runId: string): Promise<boolean>;
  isDraining(): boolean;
}

/** Services of runs and variable sets. Routes check the rights. */
export function createRunServices(deps: RunServiceDeps) {
  const { collections, clock, secretKeys, audit, trigger, access, cancel, isDraining } = deps;
  const queries = createRunQueries(collections);
  const lists = createRunLists(collections);
  const logs = createLogReads(collections.runLogs);
  const variableSets = createVariableSetStore(collections);
  const suiteRuns = createSuiteRunStore(collections);
  return {
    start: createRunStarter({ trigger, variableSets, secretKeys, audit }),
    stop: createRunStopper({ queries, statuses: createRunStatusStore(collections.runs), cancel, audit }),
    ...createRerunner({ trigger, queries, suiteRuns, audit }),
    list: createRunLister({ lists, access }),
    listed: lists.byIds,
    countOf: lists.count,
    testsOf: lists.ofSuite,
    testsAt: lists.atPositions,
    slotsOf: createSlotReader((suiteRunId) => suiteSlots(collections, suiteRunId)),
    find: findRun.bind(undefined, queries),
    findTest: (runId: string) => findRun(queries, 'test', runId),
    show: showRun({ queries, lists }),
    showSuite: showCounts(queries),
    log: createLogFollower({ lines: logs.after, statusOf: queries.statusOf, isDraining }),
    readLog: createLogReader(logs),
    steps: createStepReader(runStepsOf.bind(undefined, collections)),
    cases: createCaseReader(pageOfCases.bind(undefined, collections)),
    artifacts: createArtifactReader(collections, secretKeys, clock),
    variableSets: createVariableSetServices({
      variableSets,
      schedules: createScheduleStore(collections),
      secretKeys,
      audit,
      clock,
    }),
  };
}
