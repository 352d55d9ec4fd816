import type { Target, TargetFilter, TargetStore } from '../../db/targets.js';
import { changedFields, flat } from '../../domain/definition-changes.js';
import type { NewSuite, NewTest, SuiteChanges, TestChanges } from '../../domain/definition-schemas.js';
import type { NewSchedule, ScheduleChanges } from '../../domain/schedule-fields.js';
import { ConflictError, NotFoundError } from '../../domain/errors.js';
import { creationOf } from '../../domain/idempotent-creation.js';
import type { Page, PageRequest } from '../../domain/page.js';
import { changedMeanwhile, checkRevision, type ExpectedRevision } from '../../domain/revision.js';
import { NOTHING_HERE } from '../access.js';
import type { Audit, Caller } from '../audit.js';

/** A round is lost only to somebody who has changed the same test or suite in it. */
const MAX_ROUNDS = 10;

export type { Target } from '../../db/targets.js';
type New = NewTest | NewSuite | NewSchedule;
type Changes = TestChanges | SuiteChanges | ScheduleChanges;

export interface TargetServiceDeps {
  kind: 'test' | 'suite' | 'schedule';
  store: TargetStore;
  audit: Audit;
  /** @throws InvalidInputError when a definition names what is not there, or its changed fields do not fit together */
  checkDefinition(projectId: string, definition: Target['definition'], name: string): Promise<void>;
  /** @throws ConflictError when others need it */
  checkUnused(target: Target): Promise<void>;
  /** Told of what was made, changed or archived, once it is on record. Safe to repeat. */
  changed?(target: Target, isArchived: boolean): Promise<void>;
}

/** The tests, the suites, or the schedules of projects. Each throws the driver's error when the database does not answer in time. */
export interface TargetService {
  /** @throws InvalidInputError for a cursor of another list */
  list(filter: TargetFilter, request: PageRequest): Promise<Page<Target>>;
  /** Also one that is archived. @throws NotFoundError */
  get(id: string): Promise<Target>;
  /** Names of those of `ids` that are in the project, archived ones included. */
  named(projectId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * @param key Idempotency-Key
   * @throws ConflictError `name_taken`, InvalidInputError, IdempotencyConflictError
   */
  create(
    caller: Caller,
    projectId: string,
    wanted: New,
    key: string | undefined,
  ): Promise<{ document: Target; isNew: boolean }>;
  /** @throws ChangedMeanwhileError, ConflictError `name_taken` or `archived`, InvalidInputError, NotFoundError */
  edit(caller: Caller, id: string, expected: ExpectedRevision, changes: Changes): Promise<Target>;
  /** Safe to repeat. @throws ChangedMeanwhileError, ConflictError `in_use`, NotFoundError */
  archive(caller: Caller, id: string, expected: ExpectedRevision): Promise<void>;
}

export function createTargetService(deps: TargetServiceDeps): TargetService {
  const { kind, store, audit, checkDefinition, checkUnused, changed } = deps;

  async function get(id: string): Promise<Target> {
    const target = await store.find(id);
    if (!target) throw new NotFoundError(NOTHING_HERE);
    return target;
  }

  async function refuseTakenName({ projectId, name, _id }: Pick<Target, 'projectId' | 'name' | '_id'>) {
    if (await store.isNameTaken(projectId, name, _id)) throw nameTaken(kind, name);
  }

  const note = (caller: Caller, verb: string, { _id, projectId, name }: Target, fields?: string[]) =>
    audit.note(caller, `${kind}.${verb}`, {
      projectId,
      target: { type: kind, id: _id, name },
      ...(fields ? { details: { fields } } : {}),
    });

  return {
    get,
    named: store.named,
    list: (filter, request) => store.page(filter, request),

    async create(caller, projectId, wanted, key) {
      const { name, ...definition } = wanted as NewTest;
      const creation = creationOf(caller.principal!, `${kind} of ${projectId}`, key, wanted);
      const target = { ...creation, projectId, name, definition, revision: 1, modifiedAt: new Date() };
      await checkDefinition(projectId, definition, name);
      await refuseTakenName(target);
      const { document, isNew } = await store.insert(target);
      if (!isNew) return { document, isNew };
      // Of two that took the name at once each sees the other now.
      if (await store.isNameTaken(projectId, name, document._id)) {
        await store.withdraw(document);
        throw nameTaken(kind, name);
      }
      await note(caller, 'create', document);
      await changed?.(document, false);
      return { document, isNew };
    },

    async edit(caller, id, expected, changes) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const there = await get(id);
        if (there.archivedAt) throw new ConflictError('archived', `This ${kind} was removed and cannot be changed.`);
        checkRevision(expected, there.revision);
        const next = withChanges(there, changes);
        const fields = changedFields(flat(there), flat(next));
        if (fields.length === 0) return there;
        if (fields.includes('name')) await refuseTakenName({ ...there, name: next.name });
        await checkDefinition(there.projectId, next.definition, next.name);
        const replaced = await store.replace(there, next);
        if (!replaced) continue;
        if (fields.includes('name') && (await store.isNameTaken(there.projectId, next.name, id))) {
          // As in create. Back to its old name, unless somebody has changed it once more.
          await store.replace(replaced, { ...next, name: there.name });
          throw nameTaken(kind, next.name);
        }
        await note(caller, 'edit', replaced, fields);
        await changed?.(replaced, false);
        return replaced;
      }
      throw changedMeanwhile();
    },

    async archive(caller, id, expected) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const there = await get(id);
        if (!there.archivedAt) {
          checkRevision(expected, there.revision);
          await checkUnused(there);
          if (!(await store.archive(there))) continue;
          await note(caller, 'archive', there);
        }
        return changed?.(there, true);
      }
      throw changedMeanwhile();
    },
  };
}

/** The next state; a field that is null is left out of it. */
function withChanges(there: Target, changes: Changes): Pick<Target, 'name' | 'definition'> {
  const { name = there.name, ...changed } = changes;
  const definition = Object.entries({ ...there.definition, ...changed }).filter(([, value]) => value !== null);
  return { name, definition: Object.fromEntries(definition) as unknown as Target['definition'] };
}

function nameTaken(kind: string, name: string): ConflictError {
  return new ConflictError('name_taken', `There is a ${kind} named "${name}" in this project already.`);
}
