import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { ItemFilter, ItemStore } from '#src/db/targets/target-store.js';
import type { ProjectItem } from '#src/domain/records.js';
import { changedFields, flat } from '#src/domain/targets/definition-changes.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError, NotFoundError } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import { changedMeanwhile, checkRevision, type ExpectedRevision } from '#src/domain/targets/revision.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';

/** A round is lost only to somebody who has changed the same test or suite in it. */
const MAX_ROUNDS = 10;

/** An item as its creator describes it. */
export type NewItem<Definition extends object> = Definition & { name: string };
/** Changed fields; one that is null is removed. */
export type ItemChanges<Definition extends object> = {
  [Field in keyof NewItem<Definition>]?: NewItem<Definition>[Field] | null | undefined;
};

export interface ItemServiceDeps<Definition extends object> {
  kind: ProjectItemKind;
  store: ItemStore<Definition>;
  audit: Audit;
  /** The database's. */
  clock: Clock;
  /** @throws InvalidInputError when a definition names what is not there, or its changed fields do not fit together */
  checkDefinition(projectId: string, definition: Definition, name: string): Promise<void>;
  /** @throws ConflictError when others need it */
  checkUnused(target: ProjectItem<Definition>): Promise<void>;
  /** Told of what was made, changed or archived, once it is on record. Safe to repeat. */
  changed?(target: ProjectItem<Definition>, isArchived: boolean): Promise<void>;
}

/** The tests, the suites, or the schedules of projects. Each throws the driver's error when the database does not answer in time. */
export interface ItemService<Definition extends object> {
  /** @throws InvalidInputError for a cursor of another list */
  list(filter: ItemFilter, request: PageRequest): Promise<Page<ProjectItem<Definition>>>;
  /** Also one that is archived. @throws NotFoundError */
  get(id: string): Promise<ProjectItem<Definition>>;
  /** Names of those of `ids` that are in the project, archived ones included. */
  named(projectId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * @param key Idempotency-Key
   * @throws ConflictError `name_taken`, InvalidInputError, IdempotencyConflictError
   */
  create(
    caller: Caller,
    projectId: string,
    wanted: NewItem<Definition>,
    key: string | undefined,
  ): Promise<{ document: ProjectItem<Definition>; isNew: boolean }>;
  /** @throws ChangedMeanwhileError, ConflictError `name_taken` or `archived`, InvalidInputError, NotFoundError */
  edit(
    caller: Caller,
    id: string,
    expected: ExpectedRevision,
    changes: ItemChanges<Definition>,
  ): Promise<ProjectItem<Definition>>;
  /** Safe to repeat. @throws ChangedMeanwhileError, ConflictError `in_use`, NotFoundError */
  archive(caller: Caller, id: string, expected: ExpectedRevision): Promise<void>;
}

export function createItemService<Definition extends object>(
  deps: ItemServiceDeps<Definition>,
): ItemService<Definition> {
  const { kind, store, audit, clock, checkDefinition, checkUnused, changed } = deps;

  async function get(id: string): Promise<ProjectItem<Definition>> {
    const target = await store.find(id);
    if (!target) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return target;
  }

  async function refuseTakenName({
    projectId,
    name,
    _id,
  }: Pick<ProjectItem<Definition>, 'projectId' | 'name' | '_id'>) {
    if (await store.isNameTaken(projectId, name, _id)) throw nameTaken(kind, name);
  }

  const note = (caller: Caller, verb: string, { _id, projectId, name }: ProjectItem<Definition>, fields?: string[]) =>
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
      const { name, ...rest } = wanted;
      const definition = rest as object as Definition;
      const creation = creationOf(caller.principal!, `${kind} of ${projectId}`, key, wanted);
      const target = { ...creation, projectId, name, definition, revision: 1, modifiedAt: clock.now() };
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
        if (there.archivedAt)
          throw new ConflictError(
            'archived',
            `This ${kind} is ${kind === 'schedule' ? 'deleted' : 'archived'} and cannot be changed.`,
          );
        checkRevision(expected, there.revision);
        const next = withChanges(there, changes);
        const fields = changedFields(flat(there), flat(next));
        if (fields.length === 0) return there;
        if (fields.includes('name')) await refuseTakenName({ ...there, name: next.name });
        await checkDefinition(there.projectId, next.definition, next.name);
        const replaced = await store.replace(there, next, clock.now());
        if (!replaced) continue;
        if (fields.includes('name') && (await store.isNameTaken(there.projectId, next.name, id))) {
          // As in create. Back to its old name, unless somebody has changed it once more.
          await store.replace(replaced, { ...next, name: there.name }, clock.now());
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
function withChanges<Definition extends object>(
  there: ProjectItem<Definition>,
  changes: ItemChanges<Definition>,
): Pick<ProjectItem<Definition>, 'name' | 'definition'> {
  const { name, ...changed } = changes;
  const definition = Object.entries({ ...there.definition, ...changed }).filter(([, value]) => value !== null);
  // Schemas have checked the fields, and `checkDefinition` checks how they fit together.
  return { name: name ?? there.name, definition: Object.fromEntries(definition) as Definition };
}

function nameTaken(kind: string, name: string): ConflictError {
  return new ConflictError(
    'name_taken',
    `This project already has a ${kind} named "${name}". Choose a different name.`,
  );
}
