import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunQueries } from '#src/db/runs/read-runs.js';
import type { SuiteRunStore } from '#src/db/suite-runs/suite-run-store.js';
import { ConflictError } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import type { Principal } from '#src/domain/people/rights.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Run, SuiteRun } from '#src/domain/runs/run.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';
import type { RunTrigger } from '#src/services/trigger/trigger-run.js';
import { findRun } from './find-run.js';
import { triggeredBy, type StartedId } from './start-run.js';

export interface RerunRequest {
  kind: TargetKind;
  runId: string;
  via: 'api' | 'cli';
  idempotencyKey?: string | undefined;
}

export interface RerunDeps {
  trigger: Pick<RunTrigger, 'byApi'>;
  queries: Pick<RunQueries, 'find'>;
  suiteRuns: Pick<SuiteRunStore, 'notPassed'>;
  audit: Audit;
}

type AuthenticatedCaller = Caller & { principal: Principal };

/** Reruns. Each returns the new run's ID (that of the earlier run for the same key), and throws like RunTrigger.byApi. */
export function createRerunner({ trigger, queries, suiteRuns, audit }: RerunDeps) {
  async function repeat(
    caller: AuthenticatedCaller,
    run: Run,
    { via, idempotencyKey }: RerunRequest,
    onlyTests?: string[],
  ) {
    const { kind, projectId, targetId } = run;
    // A test of a suite has the variables of its suite run.
    const source =
      kind === 'test' && run.suiteRunId !== undefined ? ((await queries.find(run.suiteRunId)) ?? run) : run;
    const { variables, profileId, profileName } = source;
    const content = [caller.principal.userId ?? caller.principal.projectId, 'rerun', run._id, onlyTests !== undefined];
    const started = await trigger.byApi({
      projectId,
      kind,
      targetId,
      triggeredBy: triggeredBy(caller.principal, via),
      idempotencyKey,
      rerun: { of: run._id, ...(onlyTests ? { onlyFailed: true } : {}) },
      variables,
      ...(profileId === undefined ? {} : { profileId, profileName: profileName! }),
      onlyTests,
      creation: creationOf(caller.principal, 'run', idempotencyKey, content).creation,
    });
    const { _id: id } = started.run;
    if (started.isNew)
      await audit.note(caller, `${kind}Run.rerun`, {
        projectId,
        target: { type: `${kind}Run`, id, name: run.targetName },
        details: { rerunOf: run._id },
      });
    return { id, isNew: started.isNew };
  }

  return {
    /** Runs the current definition of the target with the variables and variable set of the run. @throws NotFoundError */
    async rerun(caller: AuthenticatedCaller, request: RerunRequest): Promise<StartedId> {
      return repeat(caller, await findRun(queries, request.kind, request.runId), request);
    },

    /** Runs the tests of a suite run that did not pass. @throws NotFoundError; ConflictError (open, all passed) */
    async rerunFailed(caller: AuthenticatedCaller, request: Omit<RerunRequest, 'kind'>): Promise<StartedId> {
      const run = await findRun(queries, 'suite', request.runId);
      if (!isTerminal(run.status))
        throw new ConflictError('run_not_over', 'This suite run has not ended. Wait for it to end, or stop it.');
      return repeat(caller, run, { ...request, kind: 'suite' }, await notPassed(run));
    },
  };

  async function notPassed(run: SuiteRun): Promise<string[]> {
    const { testIds, total } = await suiteRuns.notPassed(run._id);
    // A suite run that ended before it began has no test runs.
    if (total === 0) return run.definition.tests;
    if (testIds.length === 0) throw new ConflictError('all_passed', 'All tests of this suite run passed.');
    return testIds;
  }
}
