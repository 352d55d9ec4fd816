import { isDuplicateKey, isDuplicateOf } from '../../db/duplicate-key.js';
import type { ProfileChange, ProfileStore } from '../../db/profiles.js';
import type { ScheduleStore } from '../../db/schedules.js';
import { ConflictError, NotFoundError } from '../../domain/errors.js';
import { creationOf } from '../../domain/idempotent-creation.js';
import { changedMeanwhile, checkRevision, type ExpectedRevision } from '../../domain/revision.js';
import type { Principal } from '../../domain/rights.js';
import type { GivenVariable, Profile } from '../../domain/variables.js';
import { NOTHING_HERE } from '../access.js';
import type { Audit, Caller } from '../audit.js';
import { sealVariables } from '../variables/seal-variables.js';

export interface GivenProfile {
  name: string;
  isDefault: boolean;
  /** In place of all that are there; a secret one without a value stays as it is. */
  variables: GivenVariable[];
}

export interface ProfileDeps {
  profiles: ProfileStore;
  schedules: Pick<ScheduleStore, 'ofProject'>;
  secretKeys: readonly Buffer[];
  audit: Audit;
}

/** Two callers may make a default, or change a profile, at the same moment. */
const TRIES = 3;

/** Profiles of variables. Each throws NotFoundError when the profile has been removed meanwhile. */
export function createProfileServices({ profiles, schedules, secretKeys, audit }: ProfileDeps) {
  async function find(id: string): Promise<Profile> {
    const profile = await profiles.find(id);
    if (!profile) throw new NotFoundError(NOTHING_HERE);
    return profile;
  }

  const note = (caller: Caller, verb: string, { _id, projectId, name }: Profile, details = {}) =>
    audit.note(caller, `profile.${verb}`, { projectId, target: { type: 'profile', id: _id, name }, details });

  /** @throws ChangedMeanwhileError, ConflictError (name) */
  async function put(id: string, expected: ExpectedRevision, given: Partial<GivenProfile>): Promise<Profile> {
    for (let tries = 1; ; tries++) {
      const profile = await find(id);
      checkRevision(expected, profile.revision);
      const { variables, ...rest } = given;
      const change: ProfileChange = {
        ...rest,
        ...(variables ? { variables: sealVariables(secretKeys, variables, profile.variables) } : {}),
      };
      try {
        if (change.isDefault && !profile.isDefault) await profiles.clearDefault(profile.projectId, id);
        const changed = await profiles.change(id, profile.revision, change);
        if (changed) return changed;
      } catch (error) {
        if (isDuplicateOf(error, 'name')) throw nameTaken();
        if (!isDuplicateKey(error)) throw error;
      }
      if (tries === TRIES) throw changedMeanwhile();
    }
  }

  return {
    find,
    ofProject: profiles.ofProject,

    /** `isNew`: not made by an earlier call with the same key. @throws ConflictError (name), IdempotencyConflictError, InvalidInputError (a value is missing) */
    async create(
      caller: Caller & { principal: Principal },
      projectId: string,
      given: GivenProfile,
      idempotencyKey: string | undefined,
    ): Promise<{ profile: Profile; isNew: boolean }> {
      const { name, isDefault, variables } = given;
      const { document, isNew } = await profiles
        .insertOnce({
          ...creationOf(caller.principal, `profile ${projectId}`, idempotencyKey, given),
          projectId,
          name,
          // Its place is taken from another one only when this one is there.
          isDefault: false,
          variables: sealVariables(secretKeys, variables),
          revision: 1,
          modifiedAt: new Date(),
        })
        .catch((error: unknown) => {
          throw isDuplicateKey(error) ? nameTaken() : error;
        });
      // A first call may have ended before it made it the default.
      const isUnchanged = document.revision === 1;
      const profile = isDefault && isUnchanged ? await put(document._id, '*', { isDefault }) : document;
      if (isNew) await note(caller, 'create', profile, { variables: keysOf(profile) });
      return { profile, isNew };
    },

    /** @throws ChangedMeanwhileError, ConflictError (name), InvalidInputError (a value is missing) */
    async change(
      caller: Caller,
      id: string,
      expected: ExpectedRevision,
      given: Partial<GivenProfile>,
    ): Promise<Profile> {
      const profile = await put(id, expected, given);
      await note(caller, 'change', profile, { fields: Object.keys(given), variables: keysOf(profile) });
      return profile;
    },

    /** @throws ChangedMeanwhileError; ConflictError `in_use` with the names of the schedules that use it */
    async remove(caller: Caller, id: string, expected: ExpectedRevision): Promise<void> {
      const profile = await find(id);
      checkRevision(expected, profile.revision);
      const using = (await schedules.ofProject(profile.projectId)).filter(
        ({ definition }) => definition.runProfileId === id,
      );
      if (using.length > 0) throw inUse(using.map(({ name }) => name));
      if (!(await profiles.remove(id, profile.revision))) throw changedMeanwhile();
      await note(caller, 'remove', profile);
    },
  };
}

const keysOf = ({ variables }: Profile) => variables.map(({ key }) => key);

const NAMED_AT_MOST = 5;

function inUse(names: readonly string[]): ConflictError {
  const shown = names.slice(0, NAMED_AT_MOST).map((name) => `"${name}"`);
  const more = names.length > NAMED_AT_MOST ? ' and others' : '';
  const message = `Schedules use this variable set: ${shown.join(', ')}${more}. Choose another one in them first.`;
  return new ConflictError('in_use', message);
}

function nameTaken(): ConflictError {
  return new ConflictError('name_taken', 'This project has a profile of this name already. Choose another name.');
}
