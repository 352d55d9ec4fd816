import { isDuplicateKey, isDuplicateOf } from '#src/db/query/duplicate-key.js';
import type { VariableSetChange, VariableSetStore } from '#src/db/variables/variable-set-store.js';
import type { ScheduleStore } from '#src/db/schedules/schedule-store.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError, NotFoundError } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import { changedMeanwhile, checkRevision, type ExpectedRevision } from '#src/domain/targets/revision.js';
import type { Principal } from '#src/domain/people/rights.js';
import type { GivenVariable, VariableSet } from '#src/domain/variables/variables.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';
import { sealVariables } from './seal-variables.js';

export interface VariableSetInput {
  name: string;
  isDefault: boolean;
  /** Replace all variables; a secret one without a value keeps its value. */
  variables: GivenVariable[];
}

export interface VariableSetDeps {
  variableSets: VariableSetStore;
  schedules: Pick<ScheduleStore, 'ofProject'>;
  secretKeys: readonly Buffer[];
  audit: Audit;
  /** The database's clock. */
  clock: Clock;
}

/** Attempts in case of concurrent changes of a variable set or of the default. */
const MAX_ATTEMPTS = 3;

/** Variable sets. Each method throws NotFoundError when the variable set no longer exists. */
export function createVariableSetServices({ variableSets, schedules, secretKeys, audit, clock }: VariableSetDeps) {
  async function find(id: string): Promise<VariableSet> {
    const variableSet = await variableSets.find(id);
    if (!variableSet) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return variableSet;
  }

  const note = (caller: Caller, verb: string, { _id, projectId, name }: VariableSet, details = {}) =>
    audit.note(caller, `profile.${verb}`, { projectId, target: { type: 'profile', id: _id, name }, details });

  /** @throws ChangedMeanwhileError, ConflictError (name) */
  async function put(id: string, expected: ExpectedRevision, given: Partial<VariableSetInput>): Promise<VariableSet> {
    for (let attempt = 1; ; attempt++) {
      const variableSet = await find(id);
      checkRevision(expected, variableSet.revision);
      const { variables, ...rest } = given;
      const change: VariableSetChange = {
        ...rest,
        ...(variables ? { variables: sealVariables(secretKeys, variables, variableSet.variables) } : {}),
      };
      try {
        if (change.isDefault && !variableSet.isDefault) await variableSets.clearDefault(variableSet.projectId, id);
        const changed = await variableSets.change(id, variableSet.revision, change);
        if (changed) return changed;
      } catch (error) {
        if (isDuplicateOf(error, 'name')) throw nameTaken();
        if (!isDuplicateKey(error)) throw error;
      }
      if (attempt === MAX_ATTEMPTS) throw changedMeanwhile();
    }
  }

  return {
    find,
    ofProject: variableSets.ofProject,

    /** `isNew` is false for the variable set of an earlier call with the same key. @throws ConflictError (name), IdempotencyConflictError, InvalidInputError (a value is missing) */
    async create(
      caller: Caller & { principal: Principal },
      projectId: string,
      given: VariableSetInput,
      idempotencyKey: string | undefined,
    ): Promise<{ variableSet: VariableSet; isNew: boolean }> {
      const { name, isDefault, variables } = given;
      const { document, isNew } = await variableSets
        .insertOnce({
          ...creationOf(caller.principal, `profile ${projectId}`, idempotencyKey, given),
          projectId,
          name,
          // Becomes the default after it was inserted: another variable set keeps that role until then.
          isDefault: false,
          variables: sealVariables(secretKeys, variables),
          revision: 1,
          modifiedAt: clock.now(),
        })
        .catch((error: unknown) => {
          throw isDuplicateKey(error) ? nameTaken() : error;
        });
      // Also at a repeat: the earlier call may have been interrupted before this point.
      const isUnchanged = document.revision === 1;
      const variableSet = isDefault && isUnchanged ? await put(document._id, '*', { isDefault }) : document;
      if (isNew) await note(caller, 'create', variableSet, { variables: keysOf(variableSet) });
      return { variableSet, isNew };
    },

    /** @throws ChangedMeanwhileError, ConflictError (name), InvalidInputError (a value is missing) */
    async change(
      caller: Caller,
      id: string,
      expected: ExpectedRevision,
      given: Partial<VariableSetInput>,
    ): Promise<VariableSet> {
      const variableSet = await put(id, expected, given);
      await note(caller, 'change', variableSet, { fields: Object.keys(given), variables: keysOf(variableSet) });
      return variableSet;
    },

    /** @throws ChangedMeanwhileError; ConflictError `in_use` with the names of the schedules that use it */
    async remove(caller: Caller, id: string, expected: ExpectedRevision): Promise<void> {
      const variableSet = await find(id);
      checkRevision(expected, variableSet.revision);
      const using = (await schedules.ofProject(variableSet.projectId)).filter(
        ({ definition }) => definition.runProfileId === id,
      );
      if (using.length > 0) throw inUse(using.map(({ name }) => name));
      if (!(await variableSets.remove(id, variableSet.revision))) throw changedMeanwhile();
      await note(caller, 'remove', variableSet);
    },
  };
}

const keysOf = ({ variables }: VariableSet) => variables.map(({ key }) => key);

const MAX_NAMES = 5;

function inUse(names: readonly string[]): ConflictError {
  const shown = names.slice(0, MAX_NAMES).map((name) => `"${name}"`);
  const more = names.length > MAX_NAMES ? ' and others' : '';
  const message = `These schedules use the variable set: ${shown.join(', ')}${more}. Choose a different one for them first.`;
  return new ConflictError('in_use', message);
}

function nameTaken(): ConflictError {
  return new ConflictError(
    'name_taken',
    'This project already has a variable set with this name. Choose a different name.',
  );
}
