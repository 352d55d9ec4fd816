import { findMongodb } from './servers/find-mongodb.js';
import { findTemporal } from './servers/find-temporal.js';
import { sayOnStderr } from './say.js';

// Last step of the bootstrap: both servers are there afterwards. One after the other, for the sake of what people read.
try {
  await findTemporal(sayOnStderr);
  await findMongodb(sayOnStderr);
} catch (error) {
  console.error(`\n${(error as Error).message}\n`);
  process.exitCode = 1;
}
