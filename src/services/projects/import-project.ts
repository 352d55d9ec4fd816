import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Collections } from '#src/db/schema/collections.js';
import { createPoolStore } from '#src/db/pools/pool-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { findSetupProject, SETUP_ORIGIN } from '#src/db/schema/setup-projects.js';
import { showWebhookToken } from '#src/db/tokens/webhook-tokens.js';
import { ConflictError, InvalidInputError } from '#src/domain/errors.js';
import { randomId } from '#src/domain/ids.js';
import {
  MAX_PROJECT_FILE_BYTES,
  parseProjectFile,
  withIds,
  type ParsedProjectFile,
  type ProjectFile,
} from '#src/domain/project-file/project-file.js';
import type { Project } from '#src/domain/records.js';
import { checkPoolsOfFile, openPoolsOfFile } from '#src/services/targets/check-pool.js';
import { applyProjectFile, refuseIdsOfOthers, type ProjectDeps } from './apply-project-file.js';

/** A project with the data that callers of its webhooks need. */
export interface ImportedProject {
  projectId: string;
  name: string;
  webhookToken: string;
  /** IDs by name, without archived ones. */
  tests: Record<string, string>;
  suites: Record<string, string>;
}

/**
 * Applies a project file at set-up: creates, changes, restores and archives tests, suites and schedules, and creates
 * missing pools for the project. Runs are not affected. Can be interrupted anywhere and repeated. A file without `id`
 * belongs to the project that an earlier set-up created from a file with this project name.
 * @throws ProjectFileError with all problems of the file; InvalidInputError when it cannot be read; ConflictError when it
 *   has the ID of a project that set-up did not create
 */
export async function importProject(deps: ProjectDeps, filePath: string): Promise<ImportedProject> {
  const { collections } = deps;
  const text = await readText(filePath);
  const parsed = parseProjectFile(text, { folder: dirname(resolve(filePath)), fileName: filePath });
  const pools = createPoolStore(collections);
  const existing = await findOwnProject(collections, parsed);
  const planned = withIds(parsed, existing?._id ?? parsed.id ?? randomId(), filePath);
  await refuseIdsOfOthers(collections, planned, filePath);
  await checkPoolsOfFile(pools, planned, filePath, { bySetup: true });
  const { _id } = existing ?? (await createProject(deps, planned, parsed.id === undefined));
  // Another import of the same file may have created the project in the meantime.
  const file = _id === planned.id ? planned : withIds(parsed, _id, filePath);
  await openPoolsOfFile(pools, file);
  await applyProjectFile(deps, file);

  const imported = await describeProject(deps, file.id);
  if (!imported) throw new Error(`The project "${file.name}" was deleted during the import. Import the file again.`);
  return imported;
}

/** Finds the project of the file. @throws ConflictError when set-up did not create the project with this ID */
async function findOwnProject(collections: Collections, { id, name }: ParsedProjectFile): Promise<Project | undefined> {
  if (id === undefined) return findSetupProject(collections, name);
  const project = await createProjectStore(collections).find(id);
  if (!project || project.origin?.by === SETUP_ORIGIN) return project;
  throw new ConflictError(
    'foreign_project',
    `The project with the ID ${id} was created in the web app or through the API, and setup changes only projects that it created. Import the file with \`runhook apply\`, or remove \`id\` to create a separate project.`,
  );
}

async function createProject(
  { collections, clock }: ProjectDeps,
  file: ProjectFile,
  isFoundByName: boolean,
): Promise<Project> {
  const { id, name, retentionDays } = file;
  const { document } = await createProjectStore(collections).insert({
    _id: id,
    name,
    retentionDays,
    revision: 1,
    createdAt: clock.now(),
    origin: { by: SETUP_ORIGIN, ...(isFoundByName ? { name } : {}) },
  });
  return document;
}

/**
 * Describes an imported project; undefined when it does not exist or its import was interrupted.
 * @throws SecretBoxError when the key that encrypted its token is missing
 */
export async function describeProject(
  { collections, secretKeys }: Omit<ProjectDeps, 'clock'>,
  projectId: string,
): Promise<ImportedProject | undefined> {
  const project = await createProjectStore(collections).find(projectId);
  const webhookToken = await showWebhookToken(collections.webhookTokens, secretKeys, projectId);
  if (!project || project.archivedAt || webhookToken === undefined) return undefined;
  const live = { projectId, archivedAt: { $exists: false } };
  const options = { projection: { name: 1 }, sort: { name: 1 } } as const;
  const tests = await collections.tests.find(live, options).toArray();
  const suites = await collections.suites.find(live, options).toArray();
  return { projectId, name: project.name, webhookToken, tests: idsByName(tests), suites: idsByName(suites) };
}

function idsByName(targets: { _id: string; name: string }[]): Record<string, string> {
  return Object.fromEntries(targets.map(({ _id, name }) => [name, _id]));
}

async function readText(filePath: string): Promise<string> {
  try {
    const { size } = await stat(filePath);
    if (size > MAX_PROJECT_FILE_BYTES) throw new Error('it is larger than 5 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(filePath));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidInputError(`The project file ${filePath} cannot be read: ${reason}`, { cause });
  }
}
