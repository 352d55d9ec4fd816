import type { ProfileStore } from '../../db/profiles.js';
import { InvalidInputError } from '../../domain/errors.js';
import { creationOf } from '../../domain/idempotent-creation.js';
import type { Principal } from '../../domain/rights.js';
import type { RunKind, TriggeredBy } from '../../domain/run.js';
import type { GivenVariable } from '../../domain/variables.js';
import type { Audit, Caller } from '../audit.js';
import type { RunTrigger } from '../trigger-run.js';
import { sealVariables } from '../variables/seal-variables.js';

/** What a caller asks for, as validated. */
export interface StartRequest {
  projectId: string;
  kind: RunKind;
  targetId: string;
  profileId?: string | undefined;
  variables: GivenVariable[];
  /** How a script calls itself; a signed-in person is the web app. */
  via: 'api' | 'cli';
  idempotencyKey?: string | undefined;
}

/** `isNew`: not the run of an earlier call with the same key. */
export interface StartedId {
  id: string;
  isNew: boolean;
}

export interface StartRunDeps {
  trigger: Pick<RunTrigger, 'byApi'>;
  profiles: Pick<ProfileStore, 'find'>;
  secretKeys: readonly Buffer[];
  audit: Audit;
}

/**
 * Starts a run for a caller.
 * @returns its id; with the same key, that of the earlier run
 * @throws InvalidInputError (variables, profile), and as RunTrigger.byApi
 */
export function createRunStarter({ trigger, profiles, secretKeys, audit }: StartRunDeps) {
  return async (caller: Caller & { principal: Principal }, request: StartRequest): Promise<StartedId> => {
    const { idempotencyKey, variables, profileId, via, ...target } = request;
    const { principal } = caller;
    const profile = profileId === undefined ? undefined : await profiles.find(profileId);
    if (profileId !== undefined && profile?.projectId !== target.projectId) throw noSuchProfile();
    const wanted = [principal.userId ?? principal.projectId, profileId, variables];
    const { run, isNew } = await trigger.byApi({
      ...target,
      triggeredBy: triggeredBy(principal, via),
      idempotencyKey,
      ...(variables.length > 0 ? { variables: sealVariables(secretKeys, variables) } : {}),
      ...(profile ? { profileId: profile._id, profileName: profile.name } : {}),
      ...(idempotencyKey === undefined
        ? {}
        : { creation: creationOf(principal, 'run', idempotencyKey, wanted).creation! }),
    });
    if (isNew)
      await audit.note(caller, `${target.kind}Run.start`, {
        projectId: target.projectId,
        target: { type: `${target.kind}Run`, id: run._id },
      });
    return { id: run._id, isNew };
  };
}

/** Who started a run, for its record. */
export function triggeredBy({ via, userId, name }: Principal, script: 'api' | 'cli'): TriggeredBy {
  return { type: via === 'session' ? 'web' : script, name, ...(userId === undefined ? {} : { userId }) };
}

function noSuchProfile(): InvalidInputError {
  const message = 'runProfileId is no profile of this project';
  return new InvalidInputError(message, { fields: [{ field: 'runProfileId', message }] });
}
