import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { Collections } from '#src/db/schema/collections.js';
import { settingsOf } from '#src/db/projects/project-store.js';
import { statesOf } from '#src/db/targets/upsert-definitions.js';
import { changedFields, changeOf, type Change } from '#src/domain/targets/definition-changes.js';
import type { FileEntry, ProjectFile } from '#src/domain/project-file/project-file.js';
import type { Project, ProjectItem } from '#src/domain/records.js';
import { isWithoutTarget } from './apply-project-file.js';

/** A change that an import makes. */
export interface PlannedChange extends Change {
  kind: 'project' | ProjectItemKind;
  id: string;
  name: string;
}

export interface ImportPlan {
  changes: PlannedChange[];
  /** Number of tests, suites and schedules that the file does not change. */
  unchanged: number;
}

/**
 * Plans an import without applying it.
 * @param project undefined: the import creates it
 * @throws the driver's error when the database does not respond
 */
export async function planImport(
  collections: Pick<Collections, 'tests' | 'suites' | 'schedules'>,
  project: Project | undefined,
  file: ProjectFile,
): Promise<ImportPlan> {
  const ofProject = changeOfProject(project, file);
  const changes: PlannedChange[] = ofProject ? [{ kind: 'project', id: file.id, name: file.name, ...ofProject }] : [];
  let unchanged = 0;
  const states = {
    test: await statesOf(collections.tests, file.id),
    suite: await statesOf(collections.suites, file.id),
    schedule: await statesOf(collections.schedules, file.id),
  };
  // A file without `schedules` keeps the existing ones whose targets it contains.
  const kept = file.schedules ? [] : states.schedule.filter((schedule) => !isWithoutTarget(schedule, file));
  const keptIds = new Set(kept.map(({ _id }) => _id));
  for (const kind of ['test', 'suite', 'schedule'] as const) {
    const entries: FileEntry<object>[] | undefined = file[`${kind}s`];
    const remaining = new Map<string, ProjectItem<object>>(states[kind].map((state) => [state._id, state]));
    for (const entry of entries ?? []) {
      const change = changeOf(remaining.get(entry.id), entry);
      if (change) changes.push({ kind, id: entry.id, name: entry.name, ...change });
      else unchanged++;
      remaining.delete(entry.id);
    }
    for (const { _id: id, name, archivedAt } of remaining.values())
      if (!archivedAt && !keptIds.has(id)) changes.push({ kind, id, name, change: 'archive' });
  }
  return { changes, unchanged };
}

/** The change that an import makes to the project itself, if any. */
export function changeOfProject(
  project: Project | undefined,
  { name, retentionDays }: ProjectFile,
): Change | undefined {
  if (!project) return { change: 'create' };
  const next = { name, ...(retentionDays === undefined ? {} : { retentionDays }) };
  const fields = changedFields(settingsOf(project), next);
  const change = project.archivedAt ? 'restore' : 'update';
  if (fields.length > 0) return { change, fields };
  return project.archivedAt ? { change } : undefined;
}
