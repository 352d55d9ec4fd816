import { importConfig, setUpConfig } from '../config.js';
import { collectionsOf } from '../db/collections.js';
import { BACKGROUND_TIMEOUTS, connectDatabase, durabilityProblem } from '../db/connect.js';
import { importProject } from '../services/import-project.js';
import { setUp } from '../services/set-up.js';
import { openTemporal } from '../temporal/connect.js';

/** `runhook setup`: prepares both stores, then imports project files and prints their webhook URLs. */
export async function setUpCommand(projectFiles: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const config = setUpConfig(env);
  const imports = projectFiles.length > 0 ? importConfig(env) : undefined;
  const { client, db } = await connectDatabase(config.mongodbUrl, BACKGROUND_TIMEOUTS);
  const temporal = openTemporal();
  try {
    const problem = await durabilityProblem(config.mongodbUrl, { db });
    if (problem) throw new Error(problem);
    const collections = collectionsOf(db);
    await setUp({ collections, temporal });
    console.log('MongoDB and Temporal are set up.');
    for (const file of imports ? projectFiles : []) {
      const { secretKeys, publicUrl } = imports!;
      const project = await importProject({ collections, secretKeys }, file);
      console.log(`\nProject "${project.name}" is imported. Whoever holds these URLs can start its runs:`);
      const base = `${publicUrl}/webhooks/${project.webhookToken}`;
      for (const [name, id] of Object.entries(project.tests)) console.log(`  test  ${name}: ${base}/tests/run/${id}`);
      for (const [name, id] of Object.entries(project.suites)) console.log(`  suite ${name}: ${base}/suites/run/${id}`);
    }
  } finally {
    await Promise.all([client.close(), temporal.connection.close()]);
  }
}
