import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { Collections } from '#src/db/schema/collections.js';
import { settingsOf } from '#src/db/projects/project-store.js';
import { statesOf } from '#src/db/targets/upsert-definitions.js';
import { changedFields, changeOf, type Change } from '#src/domain/targets/definition-changes.js';
import type { FileEntry, ProjectFile } from '#src/domain/project-file/project-file.js';
import type { Project, ProjectItem } from '#src/domain/records.js';
import { isWithoutTarget } from './apply-project-file.js';

/** One thing that an import makes, changes, archives or brings back. */
export interface PlannedChange extends Change {
  kind: 'project' | ProjectItemKind;
  id: string;
  name: string;
}

export interface ImportPlan {
  changes: PlannedChange[];
  /** How many tests, suites and schedules are as the file says. */
  unchanged: number;
}

/**
 * What an import would do.
 * @param project as it is; none, it is new
 * @throws the driver's error when the database does not answer
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
  // A file that says nothing of schedules leaves them, as long as what they start is there.
  const left = file.schedules ? [] : states.schedule.filter((schedule) => !isWithoutTarget(schedule, file));
  const staying = new Set(left.map(({ _id }) => _id));
  for (const kind of ['test', 'suite', 'schedule'] as const) {
    const entries: FileEntry<object>[] | undefined = file[`${kind}s`];
    const there = new Map<string, ProjectItem<object>>(states[kind].map((state) => [state._id, state]));
    for (const entry of entries ?? []) {
      const change = changeOf(there.get(entry.id), entry);
      if (change) changes.push({ kind, id: entry.id, name: entry.name, ...change });
      else unchanged++;
      there.delete(entry.id);
    }
    for (const { _id: id, name, archivedAt } of there.values())
      if (!archivedAt && !staying.has(id)) changes.push({ kind, id, name, change: 'archive' });
  }
  return { changes, unchanged };
}

/** Whether an import changes what belongs to the project itself. */
export function changeOfProject(
  project: Project | undefined,
  { name, retentionDays }: ProjectFile,
): Change | undefined {
  if (!project) return { change: 'create' };
  const wanted = { name, ...(retentionDays === undefined ? {} : { retentionDays }) };
  const fields = changedFields(settingsOf(project), wanted);
  const change = project.archivedAt ? 'restore' : 'update';
  if (fields.length > 0) return { change, fields };
  return project.archivedAt ? { change } : undefined;
}
