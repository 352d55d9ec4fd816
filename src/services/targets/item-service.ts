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

/** Each retry follows a concurrent change of the same item. */
const MAX_ROUNDS = 10;

/** The fields of a new item. */
export type NewItem<Definition extends object> = Definition & { name: string };
/** Changed fields; null removes a field. */
export type ItemChanges<Definition extends object> = {
  [Field in keyof NewItem<Definition>]?: NewItem<Definition>[Field] | null | undefined;
};

export interface ItemServiceDeps<Definition extends object> {
  kind: ProjectItemKind;
  store: ItemStore<Definition>;
  audit: Audit;
  /** The database's clock. */
  clock: Clock;
  /** @throws InvalidInputError when a definition refers to something missing, or its fields conflict with each other */
  checkDefinition(projectId: string, definition: Definition, name: string): Promise<void>;
  /** @throws ConflictError when the item is in use */
  checkUnused(target: ProjectItem<Definition>): Promise<void>;
  /** Called after an item was created, changed or archived. Safe to repeat. */
  changed?(target: ProjectItem<Definition>, isArchived: boolean): Promise<void>;
}

/** Tests, suites or schedules of projects. Each method throws the driver's error when the database does not respond in time. */
export interface ItemService<Definition extends object> {
  /** @throws InvalidInputError for a cursor of another list */
  list(filter: ItemFilter, request: PageRequest): Promise<Page<ProjectItem<Definition>>>;
  /** Also finds archived items. @throws NotFoundError */
  get(id: string): Promise<ProjectItem<Definition>>;
  /** The names of those of `ids` that belong to the project, including archived items. */
  named(projectId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /**
   * @param key Idempotency-Key
   * @throws ConflictError `name_taken`, InvalidInputError, IdempotencyConflictError
   */
  create(
    caller: Caller,
    projectId: string,
    input: NewItem<Definition>,
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

    async create(caller, projectId, input, key) {
      const { name, ...rest } = input;
      const definition = rest as object as Definition;
      const creation = creationOf(caller.principal!, `${kind} of ${projectId}`, key, input);
      const target = { ...creation, projectId, name, definition, revision: 1, modifiedAt: clock.now() };
      await checkDefinition(projectId, definition, name);
      await refuseTakenName(target);
      const { document, isNew } = await store.insert(target);
      if (!isNew) return { document, isNew };
      // Two concurrent calls may have used the same name: each sees the other now.
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
        const existing = await get(id);
        if (existing.archivedAt)
          throw new ConflictError(
            'archived',
            `This ${kind} is ${kind === 'schedule' ? 'deleted' : 'archived'} and cannot be changed.`,
          );
        checkRevision(expected, existing.revision);
        const next = withChanges(existing, changes);
        const fields = changedFields(flat(existing), flat(next));
        if (fields.length === 0) return existing;
        if (fields.includes('name')) await refuseTakenName({ ...existing, name: next.name });
        await checkDefinition(existing.projectId, next.definition, next.name);
        const replaced = await store.replace(existing, next, clock.now());
        if (!replaced) continue;
        if (fields.includes('name') && (await store.isNameTaken(existing.projectId, next.name, id))) {
          // As in create. Restores the old name, unless the item was changed again.
          await store.replace(replaced, { ...next, name: existing.name }, clock.now());
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
        const existing = await get(id);
        if (!existing.archivedAt) {
          checkRevision(expected, existing.revision);
          await checkUnused(existing);
          if (!(await store.archive(existing))) continue;
          await note(caller, 'archive', existing);
        }
        return changed?.(existing, true);
      }
      throw changedMeanwhile();
    },
  };
}

/** Applies changes; null removes a field. */
function withChanges<Definition extends object>(
  existing: ProjectItem<Definition>,
  changes: ItemChanges<Definition>,
): Pick<ProjectItem<Definition>, 'name' | 'definition'> {
  const { name, ...changed } = changes;
  const definition = Object.entries({ ...existing.definition, ...changed }).filter(([, value]) => value !== null);
  // The schema has validated each field; `checkDefinition` validates their combination.
  return { name: name ?? existing.name, definition: Object.fromEntries(definition) as Definition };
}

function nameTaken(kind: string, name: string): ConflictError {
  return new ConflictError(
    'name_taken',
    `This project already has a ${kind} named "${name}". Choose a different name.`,
  );
}
