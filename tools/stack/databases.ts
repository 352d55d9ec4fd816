import { freePort } from './ports.js';
import type { StackPaths } from './paths.js';
import type { Say } from './say.js';
import { findMongodb } from './servers/find-mongodb.js';
import { findTemporal } from './servers/find-temporal.js';
import { onPath } from './servers/on-path.js';
import { dataKindOf, startMongodb } from './servers/run-mongodb.js';
import { startTemporal } from './servers/run-temporal.js';
import type { Service } from './supervise.js';

const TEMPORAL_PORT = 7233;
const TEMPORAL_UI_PORT = 8233;
const MONGODB_PORT = 27_017;

/** A database of the stack: its own process, or an existing one (no `service`). */
export interface Database {
  address: string;
  /** What it is, in words. */
  origin: string;
  service?: Service;
}

export interface DatabaseOptions {
  env: NodeJS.ProcessEnv;
  /** Environment of its process. */
  childEnv: NodeJS.ProcessEnv;
  paths: StackPaths;
  say: Say;
}

export interface TemporalDatabase extends Database {
  uiUrl?: string;
  cli?: string;
}

/** Finds Temporal and chooses its ports; nothing runs yet. @throws Error that names all the choices without any */
export async function planTemporal({ env, childEnv, paths, say }: DatabaseOptions): Promise<TemporalDatabase> {
  const found = await findTemporal(say, env);
  if (found.kind === 'address') {
    const { address } = found;
    const uiUrl = env.RUNHOOK_TEMPORAL_UI_URL;
    return { address, origin: `${address} (TEMPORAL_ADDRESS)`, uiUrl, cli: onPath('temporal', env) };
  }
  const port = await choosePort('Temporal', TEMPORAL_PORT, say);
  const uiPort = await choosePort('the Temporal UI', TEMPORAL_UI_PORT, say);
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

/** Finds MongoDB and chooses its port; nothing runs yet. @throws Error that names all the choices without any */
export async function planMongodb({ env, childEnv, paths, say }: DatabaseOptions): Promise<Database> {
  const found = await findMongodb(say, dataKindOf(paths.mongodbData), env);
  if (found.kind === 'url') return { address: found.url, origin: 'MONGODB_URL' };
  const port = await choosePort('MongoDB', MONGODB_PORT, say);
  const start = async (signal: AbortSignal) => {
    const { child } = await startMongodb({ found, port, dataDir: paths.mongodbData, env: childEnv, signal });
    return child;
  };
  const address = `mongodb://127.0.0.1:${port}/runhook`;
  const origin = found.kind === 'engine' ? 'MongoDB engine embedded in Node' : `mongod ${found.origin}`;
  return { address, origin: `${address} (${origin})`, service: { name: 'MongoDB', start } };
}

/** The preferred port or the next free one, which is reported. */
export async function choosePort(what: string, preferred: number, say: Say): Promise<number> {
  const port = await freePort(preferred);
  if (port !== preferred) say(`Port ${preferred} is in use. Using port ${port} for ${what}.`);
  return port;
}
