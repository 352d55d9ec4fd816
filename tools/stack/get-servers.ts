import { findMongodb } from './servers/find-mongodb.js';
import { findTemporal } from './servers/find-temporal.js';
import { logToStderr } from './log.js';

// Last step of the bootstrap: finds or downloads both servers, sequentially for readable output.
try {
  await findTemporal(logToStderr);
  await findMongodb(logToStderr);
} catch (error) {
  console.error(`\n${(error as Error).message}\n`);
  process.exitCode = 1;
}
