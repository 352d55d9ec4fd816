import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createProjectStore } from '../db/projects.js';
import { showWebhookToken } from '../db/webhook-tokens.js';
import { InvalidInputError } from '../domain/errors.js';
import { MAX_PROJECT_FILE_BYTES, parseProjectFile } from '../domain/project-file.js';
import { applyProjectFile, refuseIdsOfOthers, type ProjectDeps } from './definitions/apply-project-file.js';

/** A project with what a caller of its webhooks needs. */
export interface ImportedProject {
  projectId: string;
  name: string;
  webhookToken: string;
  /** Ids by name; archived ones are not among them. */
  tests: Record<string, string>;
  suites: Record<string, string>;
}

/**
 * Makes the database hold what a project file says: new tests and suites are made, changed ones get a new revision, what
 * is gone is archived and what is back is there again. Runs are never touched. May be killed anywhere and repeated.
 * @throws ProjectFileError with all problems of the file; InvalidInputError when it cannot be read
 */
export async function importProject(deps: ProjectDeps, filePath: string): Promise<ImportedProject> {
  const { collections } = deps;
  const text = await readText(filePath);
  const file = parseProjectFile(text, { folder: dirname(resolve(filePath)), fileName: filePath });
  await refuseIdsOfOthers(collections, file, filePath);
  await applyProjectFile(deps, file);

  const imported = await describeProject(deps, file.id);
  if (!imported) throw new Error(`The project "${file.name}" was removed during its import; import the file again.`);
  return imported;
}

/**
 * A project as importProject answers it; undefined when it is not there, or its import was cut off.
 * @throws SecretBoxError when its token was sealed with a key that is not among the keys
 */
export async function describeProject(
  { collections, secretKeys }: ProjectDeps,
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
