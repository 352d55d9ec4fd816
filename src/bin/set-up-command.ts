import { importConfig, setUpConfig, type SetUpConfig } from '#src/config.js';
import { collectionsOf } from '#src/db/schema/collections.js';
import { connectDatabase, SET_UP_TIMEOUTS } from '#src/db/connection/connect.js';
import { importProject } from '#src/services/projects/import-project.js';
import { createFirstAdmin } from '#src/services/people/create-first-admin.js';
import { setUp } from '#src/services/instance/set-up.js';
import { openTemporal } from '#src/temporal/connect.js';
import { closeConnection } from '#src/temporal/deadline.js';

/**
 * `runhook setup`: prepares MongoDB and Temporal, creates the first account, imports project files and prints their webhook URLs.
 * @param rebindTemporal binds the database to the Temporal of the environment even if it is bound to a different one
 */
export async function setUpCommand(
  { projectFiles, rebindTemporal }: { projectFiles: string[]; rebindTemporal: boolean },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const config = setUpConfig(env);
  const imports = projectFiles.length > 0 ? importConfig(env) : undefined;
  const { client, db, clock } = await connectDatabase(config.mongodbUrl, SET_UP_TIMEOUTS);
  const temporal = openTemporal();
  try {
    const collections = collectionsOf(db);
    await setUp({ collections, temporal, rebinds: rebindTemporal || config.rebindsTemporal, onProgress: console.log });
    console.log('MongoDB and Temporal are set up.');
    await firstAdmin({ collections, clock }, config.admin);
    for (const file of imports ? projectFiles : []) {
      const { secretKeys, publicUrl } = imports!;
      const project = await importProject({ collections, secretKeys, clock }, file);
      console.log(`\nProject "${project.name}" imported. Anyone with these URLs can start its runs:`);
      const base = `${publicUrl}/webhooks/${project.webhookToken}`;
      for (const [name, id] of Object.entries(project.tests)) console.log(`  test  ${name}: ${base}/tests/run/${id}`);
      for (const [name, id] of Object.entries(project.suites)) console.log(`  suite ${name}: ${base}/suites/run/${id}`);
    }
  } finally {
    await Promise.all([client.close(), closeConnection(temporal.connection)]);
  }
}

/** Creates an admin if there are no accounts. */
async function firstAdmin(deps: Parameters<typeof createFirstAdmin>[0], admin: SetUpConfig['admin']): Promise<void> {
  const created = await createFirstAdmin(deps, admin);
  if (!created) return;
  console.log(`\nAdmin account created:\n  email     ${created.email}`);
  // A password from the environment is known, and this output may be logged.
  if (admin.password === undefined)
    console.log(`  password  ${created.password}   (shown only once: sign in and change it)`);
}
