import { join } from 'node:path';
import { collectionsOf } from '#src/db/schema/collections.js';
import { BACKGROUND_TIMEOUTS, connectDatabase } from '#src/db/connection/connect.js';
import { findSetupProject } from '#src/db/schema/setup-projects.js';
import { describeProject, importProject, type ImportedProject } from '#src/services/projects/import-project.js';
import type { KnownAdmin } from './credentials-file.js';
import { repositoryRoot } from './paths.js';
import { seedPeople, type AdminInput } from './seed-people.js';

const DEMO_FILE = join(repositoryRoot, 'examples/demo-shop/runhook.yaml');
const DEMO_NAME = 'Demo shop';

/** With an API token of the project. */
export type SeededProject = ImportedProject & { apiToken: string };

export interface Seeded {
  demo: SeededProject;
  /** In the order of the files. */
  projects: SeededProject[];
  /** See seed-people.ts. */
  admin?: KnownAdmin;
}

export interface SeedOptions {
  mongodbUrl: string;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  /** Project files. */
  files: string[];
  credentialsFile: string;
  admin: AdminInput;
}

/**
 * Imports the demo project once, so that edits are kept. Imports the other files at each start, and creates the
 * credentials of people and tools.
 * @throws the error of the import for an invalid file
 */
export async function seed({ mongodbUrl, secretKeys, files, credentialsFile, admin }: SeedOptions): Promise<Seeded> {
  const { client, db, clock } = await connectDatabase(mongodbUrl, BACKGROUND_TIMEOUTS);
  try {
    const deps = { collections: collectionsOf(db), secretKeys, clock };
    const existing = await findSetupProject(deps.collections, DEMO_NAME);
    const demo = (existing && (await describeProject(deps, existing._id))) ?? (await importProject(deps, DEMO_FILE));
    const projects: ImportedProject[] = [];
    for (const file of files) projects.push(await importProject(deps, file));
    const all = [demo, ...projects];
    const people = await seedPeople(
      deps.collections,
      credentialsFile,
      admin,
      all.map(({ projectId }) => projectId),
    );
    const withToken = (project: ImportedProject) => ({
      ...project,
      apiToken: people.projectTokens[project.projectId]!,
    });
    return { demo: withToken(demo), projects: projects.map(withToken), admin: people.admin };
  } finally {
    await client.close();
  }
}
