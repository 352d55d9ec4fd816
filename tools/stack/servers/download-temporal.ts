import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Runtime } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { isExecutable } from './on-path.js';
import { reasonOf } from './not-possible.js';

// A separate program (see download.ts): lets the SDK download its dev server into the folder, and starts it once.
const folder = process.argv[2]!;
try {
  Runtime.install({ telemetryOptions: { logging: { forward: {}, filter: 'OFF' } } });
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir: folder } },
  });
  await environment.teardown();
  const names = await readdir(folder);
  const file = names.map((name) => join(folder, name)).find(isExecutable);
  if (!file) throw new Error(`the SDK downloaded no executable (found: ${names.join(', ') || 'nothing'})`);
  console.log(file);
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
