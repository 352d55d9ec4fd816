import { nextChangeNumber } from '../../db/change-numbers.js';
import type { Collections } from '../../db/collections.js';
import { createProjectStore } from '../../db/projects.js';
import { archiveOthers, idsOfOthers, putSchedules, putSuites, putTests, statesOf } from '../../db/put-definitions.js';
import { putProject } from '../../db/put-project.js';
import { createScheduleStore } from '../../db/schedules.js';
import { ensureWebhookToken } from '../../db/webhook-tokens.js';
import { ProjectFileError } from '../../domain/project-file-error.js';
import type { ParsedProjectFile, ProjectFile } from '../../domain/project-file.js';
import { targetOf, type Schedule } from '../../domain/schedule.js';

export interface ProjectDeps {
  collections: Collections;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
}

/**
 * Makes the database hold what a project file says of a project that exists: new tests and suites are made, changed ones get a new revision, what
 * is gone is archived and what is back is there again. Runs are never touched. May be killed anywhere and repeated.
 * @throws ConflictError when others keep changing the same project; the driver's error when the database does not answer
 */
export async function applyProjectFile({ collections, secretKeys }: ProjectDeps, file: ProjectFile): Promise<void> {
  await putProject(createProjectStore(collections), file);
  // Tests before the suites that name them, and archived only when no suite names them any more.
  await putTests(collections, file.id, file.tests);
  await putSuites(collections, file.id, file.suites);
  if (file.schedules) {
    await putSchedules(collections, file.id, file.schedules);
    await archiveOthers(collections.schedules, file.id, new Set(file.schedules.map(({ id }) => id)));
  }
  await archiveOthers(collections.suites, file.id, new Set(file.suites.map(({ id }) => id)));
  await archiveOthers(collections.tests, file.id, new Set(file.tests.map(({ id }) => id)), async () => ({
    archivedAtChange: await nextChangeNumber(collections, file.id),
  }));
  await endSchedules(collections, file);
  // Last: a project that has a token has been imported to its end.
  await ensureWebhookToken(collections.webhookTokens, secretKeys, file.id);
}

/** Ends the schedules of what is gone. */
async function endSchedules(collections: Collections, file: ProjectFile): Promise<void> {
  const store = createScheduleStore(collections);
  const gone = (await store.ofProject(file.id)).filter((schedule) => isWithoutTarget(schedule, file));
  if (gone.length > 0)
    await store.archiveOf(
      file.id,
      gone.map(({ definition }) => targetOf(definition).id),
    );
}

/** Whether a schedule starts what a file does not have. */
export function isWithoutTarget({ definition }: Pick<Schedule, 'definition'>, file: ProjectFile): boolean {
  const { kind, id } = targetOf(definition);
  return !file[`${kind}s`].some((entry) => entry.id === id);
}

/**
 * Somebody without rights in other projects names ids of the file's own project only: an answer for an id that is free and
 * another for one that is taken would reveal the others.
 * @param projectId none: the import creates the project
 * @throws ProjectFileError when the file names others
 */
export async function refuseUnknownIds(
  collections: Collections,
  parsed: ParsedProjectFile,
  projectId: string | undefined,
  fileName: string,
): Promise<void> {
  const problems = [];
  for (const kind of ['tests', 'suites', 'schedules'] as const) {
    const named = (parsed[kind] ?? []).filter(({ id }) => id !== undefined);
    if (named.length === 0) continue;
    const states = projectId === undefined ? [] : await statesOf(collections[kind], projectId);
    const own = new Set(states.map(({ _id }) => _id));
    for (const { id, name, line } of named)
      if (!own.has(id!)) {
        const message = `this project has no ${kind.slice(0, -1)} with the id ${id} of "${name}"; remove id: to create one`;
        problems.push({ line, message });
      }
  }
  if (problems.length > 0) throw new ProjectFileError(fileName, problems);
}

/** @throws ProjectFileError when the file names ids that tests, suites or schedules of other projects have */
export async function refuseIdsOfOthers(collections: Collections, file: ProjectFile, fileName: string): Promise<void> {
  const problems = [];
  for (const kind of ['tests', 'suites', 'schedules'] as const) {
    const entries = file[kind] ?? [];
    const ids = entries.map(({ id }) => id);
    const others = await idsOfOthers(collections[kind], file.id, ids);
    for (const { id, name, line } of entries)
      if (others.has(id)) {
        const message = `the id ${id} of "${name}" belongs to another project; take another id, or none`;
        problems.push({ line, message });
      }
  }
  if (problems.length > 0) throw new ProjectFileError(fileName, problems);
}
