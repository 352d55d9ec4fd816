import { nextChangeNumber } from '#src/db/targets/change-numbers.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import {
  archiveOthers,
  idsOfOthers,
  upsertSchedules,
  upsertSuites,
  upsertTests,
  statesOf,
} from '#src/db/targets/upsert-definitions.js';
import { updateProject } from '#src/db/projects/update-project.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { ensureWebhookToken } from '#src/db/tokens/webhook-tokens.js';
import type { Clock } from '#src/domain/clock.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import type { ParsedProjectFile, ProjectFile } from '#src/domain/project-file/project-file.js';
import { targetOf, type Schedule } from '#src/domain/schedules/schedule.js';

export interface ProjectDeps {
  collections: Collections;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  /** The database's clock. */
  clock: Clock;
}

/**
 * Applies a project file to an existing project: creates, changes, restores and archives its tests, suites and schedules.
 * Runs are not affected. Can be interrupted anywhere and repeated.
 * @throws ConflictError when the project keeps changing concurrently; the driver's error when the database does not respond
 */
export async function applyProjectFile(
  { collections, secretKeys, clock }: ProjectDeps,
  file: ProjectFile,
): Promise<void> {
  await updateProject(createProjectStore(collections), file);
  // Tests are created before the suites that contain them, and archived after those.
  await upsertTests(collections, file.id, file.tests, clock);
  await upsertSuites(collections, file.id, file.suites, clock);
  if (file.schedules) {
    await upsertSchedules(collections, file.id, file.schedules, clock);
    await archiveOthers(collections.schedules, file.id, new Set(file.schedules.map(({ id }) => id)));
  }
  await archiveOthers(collections.suites, file.id, new Set(file.suites.map(({ id }) => id)));
  await archiveOthers(collections.tests, file.id, new Set(file.tests.map(({ id }) => id)), async () => ({
    archivedAtChange: await nextChangeNumber(collections, file.id),
  }));
  await archiveSchedules(collections, file);
  // Last, because the token marks a completed import.
  await ensureWebhookToken(collections.webhookTokens, secretKeys, file.id);
}

/** Archives schedules whose target the file no longer contains. */
async function archiveSchedules(collections: Collections, file: ProjectFile): Promise<void> {
  const store = createScheduleStore(collections);
  const orphaned = (await store.ofProject(file.id)).filter((schedule) => isWithoutTarget(schedule, file));
  if (orphaned.length > 0)
    await store.archiveOf(
      file.id,
      orphaned.map(({ definition }) => targetOf(definition).id),
    );
}

/** Whether a file lacks the target of a schedule. */
export function isWithoutTarget({ definition }: Pick<Schedule, 'definition'>, file: ProjectFile): boolean {
  const { kind, id } = targetOf(definition);
  return !file[`${kind}s`].some((entry) => entry.id === id);
}

/**
 * Rejects IDs that the project does not have. For callers without access to other projects: distinguishing unused IDs
 * from those of other projects would reveal the latter.
 * @param projectId undefined: the import creates the project
 * @throws ProjectFileError
 */
export async function refuseUnknownIds(
  collections: Collections,
  parsed: ParsedProjectFile,
  projectId: string | undefined,
  fileName: string,
): Promise<void> {
  const problems = [];
  const statesIn = {
    tests: (id: string) => statesOf(collections.tests, id),
    suites: (id: string) => statesOf(collections.suites, id),
    schedules: (id: string) => statesOf(collections.schedules, id),
  };
  for (const kind of ['tests', 'suites', 'schedules'] as const) {
    const named = (parsed[kind] ?? []).filter(({ id }) => id !== undefined);
    if (named.length === 0) continue;
    const states = projectId === undefined ? [] : await statesIn[kind](projectId);
    const own = new Set(states.map(({ _id }) => _id));
    for (const { id, name, line } of named)
      if (!own.has(id!)) {
        const message = `this project has no ${kind.slice(0, -1)} with the ID ${id} ("${name}"); remove \`id\` to create one`;
        problems.push({ line, message });
      }
  }
  if (problems.length > 0) throw new ProjectFileError(fileName, problems);
}

/** @throws ProjectFileError when tests, suites or schedules of other projects have IDs of the file */
export async function refuseIdsOfOthers(collections: Collections, file: ProjectFile, fileName: string): Promise<void> {
  const problems = [];
  const idsIn = (entries: readonly { id: string }[] = []) => entries.map(({ id }) => id);
  const othersOf = {
    tests: await idsOfOthers(collections.tests, file.id, idsIn(file.tests)),
    suites: await idsOfOthers(collections.suites, file.id, idsIn(file.suites)),
    schedules: await idsOfOthers(collections.schedules, file.id, idsIn(file.schedules)),
  };
  for (const kind of ['tests', 'suites', 'schedules'] as const) {
    const entries = file[kind] ?? [];
    const others = othersOf[kind];
    for (const { id, name, line } of entries)
      if (others.has(id)) {
        const message = `the ID ${id} ("${name}") belongs to a different project; use a different ID, or remove \`id\``;
        problems.push({ line, message });
      }
  }
  if (problems.length > 0) throw new ProjectFileError(fileName, problems);
}
