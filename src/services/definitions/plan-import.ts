import type { Collections } from '../../db/collections.js';
import { settingsOf } from '../../db/projects.js';
import { statesOf } from '../../db/put-definitions.js';
import { changedFields, changeOf, type Change } from '../../domain/definition-changes.js';
import type { FileEntry, ProjectFile } from '../../domain/project-file.js';
import type { Project } from '../../domain/records.js';
import type { Schedule } from '../../domain/schedule.js';
import { isWithoutTarget } from './apply-project-file.js';

/** One thing that an import makes, changes, archives or brings back. */
export interface PlannedChange extends Change {
  kind: 'project' | 'test' | 'suite' | 'schedule';
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
  for (const kind of ['test', 'suite', 'schedule'] as const) {
    const entries: FileEntry<object>[] | undefined = file[`${kind}s`];
    const there = new Map((await statesOf(collections[`${kind}s`], file.id)).map((state) => [state._id, state]));
    for (const entry of entries ?? []) {
      const change = changeOf(there.get(entry.id), entry);
      if (change) changes.push({ kind, id: entry.id, name: entry.name, ...change });
      else unchanged++;
      there.delete(entry.id);
    }
    for (const state of there.values()) {
      // A file that says nothing of schedules leaves them, as long as what they start is there.
      const stays = entries === undefined && !isWithoutTarget(state as Schedule, file);
      if (!state.archivedAt && !stays) changes.push({ kind, id: state._id, name: state.name, change: 'archive' });
    }
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
