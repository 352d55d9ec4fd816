import { freePort } from './ports.js';
import type { StackPaths } from './paths.js';
import type { Log } from './log.js';
import { findMongodb } from './servers/find-mongodb.js';
import { findTemporal } from './servers/find-temporal.js';
import { onPath } from './servers/on-path.js';
import { dataKindOf, startMongodb } from './servers/run-mongodb.js';
import { startTemporal } from './servers/run-temporal.js';
import type { Service } from './supervise.js';

const TEMPORAL_PORT = 7233;
const TEMPORAL_UI_PORT = 8233;
const MONGODB_PORT = 27_017;

/** Temporal or MongoDB: a process of the stack, or an existing one (no `service`). */
export interface Database {
  address: string;
  /** Description. */
  origin: string;
  service?: Service;
}

export interface DatabaseOptions {
  env: NodeJS.ProcessEnv;
  /** Environment of its process. */
  childEnv: NodeJS.ProcessEnv;
  paths: StackPaths;
  log: Log;
}

export interface TemporalDatabase extends Database {
  uiUrl?: string;
  cli?: string;
}

/** Finds Temporal and chooses its ports, without starting it. @throws Error with the options if there is none */
export async function planTemporal({ env, childEnv, paths, log }: DatabaseOptions): Promise<TemporalDatabase> {
  const found = await findTemporal(log, env);
  if (found.kind === 'address') {
    const { address } = found;
    const uiUrl = env.RUNHOOK_TEMPORAL_UI_URL;
    return { address, origin: `${address} (TEMPORAL_ADDRESS)`, uiUrl, cli: onPath('temporal', env) };
  }
  const port = await choosePort('Temporal', TEMPORAL_PORT, log);
  const uiPort = await choosePort('the Temporal UI', TEMPORAL_UI_PORT, log);
  const start = async (signal: AbortSignal) => {
    const { child } = await startTemporal({
      binary: found.path,
      port,
      uiPort,
      dataFile: paths.temporalData,
      env: childEnv,
      signal,
    });
    return child;
  };
  const address = `127.0.0.1:${port}`;
  return {
    address,
    origin: `${address} (${found.origin})`,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    cli: found.path,
    service: { name: 'Temporal', start },
  };
}

/** Finds MongoDB and chooses its port, without starting it. @throws Error with the options if there is none */
export async function planMongodb({ env, childEnv, paths, log }: DatabaseOptions): Promise<Database> {
  const found = await findMongodb(log, dataKindOf(paths.mongodbData), env);
  if (found.kind === 'url') return { address: found.url, origin: 'MONGODB_URL' };
  const port = await choosePort('MongoDB', MONGODB_PORT, log);
  const start = async (signal: AbortSignal) => {
    const { child } = await startMongodb({ found, port, dataDir: paths.mongodbData, env: childEnv, signal });
    return child;
  };
  const address = `mongodb://127.0.0.1:${port}/runhook`;
  const origin = found.kind === 'engine' ? 'MongoDB engine embedded in Node' : `mongod ${found.origin}`;
  return { address, origin: `${address} (${origin})`, service: { name: 'MongoDB', start } };
}

/** The preferred port, or the next free one, which is logged. */
export async function choosePort(what: string, preferred: number, log: Log): Promise<number> {
  const port = await freePort(preferred);
  if (port !== preferred) log(`Port ${preferred} is in use. Using port ${port} for ${what}.`);
  return port;
}
