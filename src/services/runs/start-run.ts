import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { VariableSetStore } from '#src/db/variables/variable-set-store.js';
import { invalidField } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import type { Principal } from '#src/domain/people/rights.js';
import type { TriggeredBy } from '#src/domain/runs/run.js';
import type { GivenVariable } from '#src/domain/variables/variables.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';
import type { RunTrigger } from '#src/services/trigger/trigger-run.js';
import { sealVariables } from '#src/services/variables/seal-variables.js';

/** A validated request to start a run. */
export interface StartRequest {
  projectId: string;
  kind: TargetKind;
  targetId: string;
  variableSetId?: string | undefined;
  variables: GivenVariable[];
  /** How a script identifies itself; a session is always the web app. */
  via: 'api' | 'cli';
  idempotencyKey?: string | undefined;
}

/** `isNew` is false for the run of an earlier call with the same key. */
export interface StartedId {
  id: string;
  isNew: boolean;
}

export interface StartRunDeps {
  trigger: Pick<RunTrigger, 'byApi'>;
  variableSets: Pick<VariableSetStore, 'find'>;
  secretKeys: readonly Buffer[];
  audit: Audit;
}

/**
 * Starts a run for a caller.
 * @returns its ID; for the same key, that of the earlier run
 * @throws InvalidInputError (variables, variable set), and like RunTrigger.byApi
 */
export function createRunStarter({ trigger, variableSets, secretKeys, audit }: StartRunDeps) {
  return async (caller: Caller & { principal: Principal }, request: StartRequest): Promise<StartedId> => {
    const { idempotencyKey, variables, variableSetId, via, ...target } = request;
    const { principal } = caller;
    const variableSet = variableSetId === undefined ? undefined : await variableSets.find(variableSetId);
    if (variableSetId !== undefined && variableSet?.projectId !== target.projectId)
      throw invalidField('runProfileId', 'runProfileId must be the ID of a variable set of this project');
    const content = [principal.userId ?? principal.projectId, variableSetId, variables];
    const { run, isNew } = await trigger.byApi({
      ...target,
      triggeredBy: triggeredBy(principal, via),
      idempotencyKey,
      ...(variables.length > 0 ? { variables: sealVariables(secretKeys, variables) } : {}),
      ...(variableSet ? { profileId: variableSet._id, profileName: variableSet.name } : {}),
      creation: creationOf(principal, 'run', idempotencyKey, content).creation,
    });
    if (isNew)
      await audit.note(caller, `${target.kind}Run.start`, {
        projectId: target.projectId,
        target: { type: `${target.kind}Run`, id: run._id },
      });
    return { id: run._id, isNew };
  };
}

/** The `triggeredBy` of a run's record. */
export function triggeredBy({ via, userId, name }: Principal, script: 'api' | 'cli'): TriggeredBy {
  return { type: via === 'session' ? 'web' : script, name, userId };
}
