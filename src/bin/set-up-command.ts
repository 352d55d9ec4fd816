import { importConfig, setUpConfig, type SetUpConfig } from '../config.js';
import { collectionsOf, type Collections } from '../db/collections.js';
import { connectDatabase, SET_UP_TIMEOUTS } from '../db/connect.js';
import { importProject } from '../services/import-project.js';
import { makeFirstAdmin } from '../services/people/first-admin.js';
import { setUp } from '../services/set-up.js';
import { openTemporal } from '../temporal/connect.js';
import { closeConnection } from '../temporal/deadline.js';

/**
 * `runhook setup`: prepares both stores, makes the first account, then imports project files and prints their webhook URLs.
 * @param rebindTemporal bind the database to the Temporal of the environment even if it is bound to another one
 */
export async function setUpCommand(
  { projectFiles, rebindTemporal }: { projectFiles: string[]; rebindTemporal: boolean },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const config = setUpConfig(env);
  const imports = projectFiles.length > 0 ? importConfig(env) : undefined;
  const { client, db } = await connectDatabase(config.mongodbUrl, SET_UP_TIMEOUTS);
  const temporal = openTemporal();
  try {
    const collections = collectionsOf(db);
    await setUp({ collections, temporal, rebinds: rebindTemporal || config.rebindsTemporal, onProgress: console.log });
    console.log('MongoDB and Temporal are set up.');
    await firstAdmin(collections, config.admin);
    for (const file of imports ? projectFiles : []) {
      const { secretKeys, publicUrl } = imports!;
      const project = await importProject({ collections, secretKeys }, file);
      console.log(`\nProject "${project.name}" is imported. Whoever holds these URLs can start its runs:`);
      const base = `${publicUrl}/webhooks/${project.webhookToken}`;
      for (const [name, id] of Object.entries(project.tests)) console.log(`  test  ${name}: ${base}/tests/run/${id}`);
      for (const [name, id] of Object.entries(project.suites)) console.log(`  suite ${name}: ${base}/suites/run/${id}`);
    }
  } finally {
    await Promise.all([client.close(), closeConnection(temporal.connection)]);
  }
}

/** Where there is no account yet: without one nobody could sign in. */
async function firstAdmin(collections: Collections, wanted: SetUpConfig['admin']): Promise<void> {
  const made = await makeFirstAdmin(collections, wanted);
  if (!made) return;
  console.log(`\nThe first account is made; it is an admin's:\n  e-mail    ${made.email}`);
  // One that was given is known, and this output may be a log.
  if (wanted.password === undefined)
    console.log(`  password  ${made.password}   (shown this once: sign in and change it)`);
}
