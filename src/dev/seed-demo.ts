import { join } from 'node:path';
import { collectionsOf } from '../db/collections.js';
import { BACKGROUND_TIMEOUTS, connectDatabase } from '../db/connect.js';
import { projectIdOf } from '../domain/ids.js';
import { describeProject, importProject, type ImportedProject } from '../services/import-project.js';
import { repositoryRoot } from './paths.js';

const DEMO_FILE = join(repositoryRoot, 'examples/demo-shop/runhook.yaml');
const DEMO_NAME = 'Demo shop';

export interface SeededProjects {
  demo: ImportedProject;
  /** In the order of the files. */
  projects: ImportedProject[];
}

/**
 * Imports the demo project, once: later starts leave it as people have edited it. Imports the other files each time.
 * @param secretKeys AES-256 keys, newest first
 * @throws what the import throws for a malformed file
 */
export async function seedProjects(mongodbUrl: string, secretKeys: Buffer[], files: string[]): Promise<SeededProjects> {
  const { client, db } = await connectDatabase(mongodbUrl, BACKGROUND_TIMEOUTS);
  try {
    const deps = { collections: collectionsOf(db), secretKeys };
    const demo = (await describeProject(deps, projectIdOf(DEMO_NAME))) ?? (await importProject(deps, DEMO_FILE));
    const projects: ImportedProject[] = [];
    for (const file of files) projects.push(await importProject(deps, file));
    return { demo, projects };
  } finally {
    await client.close();
  }
}
