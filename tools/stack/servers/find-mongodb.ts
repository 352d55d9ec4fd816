import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findEntry, createEntry } from '#tools/stack/cache.js';
import { cacheFolder } from '#tools/stack/paths.js';
import type { Log } from '#tools/stack/log.js';
import { download } from './download.js';
import { engineCommand, type EngineCommand } from './embedded-engine.js';
import { recentFailure, rememberFailure } from './failed-downloads.js';
import { NotPossibleError } from './not-possible.js';
import { isExecutable, onPath } from './on-path.js';

/** The program that created a data folder; the other one cannot read it. */
export type DataKind = 'mongod' | 'engine';

export type FoundMongodb =
  | { kind: 'url'; url: string }
  | { kind: 'mongod'; path: string; origin: string }
  | { kind: 'engine'; command: EngineCommand };

const MONGOD_VERSION = '8.2.6';
const BINARY = 'mongod';

/**
 * Finds or downloads MongoDB. In this order: MONGODB_URL, MONGOMS_SYSTEM_BINARY, `mongod` on PATH, the official download,
 * MongoDB's engine embedded in a Node process.
 * @param data the program that created the data folder; default: any
 * @throws Error with the options when none is possible
 */
export async function findMongodb(
  log: Log,
  data?: DataKind,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundMongodb> {
  if (env.MONGODB_URL) return { kind: 'url', url: env.MONGODB_URL };
  const cache = cacheFolder(env);
  if (data === 'engine') {
    return {
      kind: 'engine',
      command: await orExplain(engineCommand(log, cache), 'the data folder was created by the embedded engine'),
    };
  }
  const installed = installedMongod(env);
  if (installed) return installed;
  const entry = join(cache, `mongod-${MONGOD_VERSION}-${process.platform}-${process.arch}`);
  const downloaded: FoundMongodb = { kind: 'mongod', path: join(entry, BINARY), origin: 'downloaded' };
  if (await findEntry(entry, log)) return downloaded;

  const known = data === 'mongod' ? undefined : recentFailure(cache, BINARY);
  if (known) {
    const command = await engineCommand(log, cache, false).catch(() => undefined);
    if (command) return { kind: 'engine', command };
  }
  log('MongoDB: MONGODB_URL is not set and mongod is not on PATH. Downloading it.');
  const noDownload = await tryDownload(entry, log);
  if (noDownload === undefined) return downloaded;
  if (data === 'mongod')
    throw new Error(noServerMessage(noDownload, 'the data folder was created by mongod, which the engine cannot read'));

  log(`MongoDB: the download failed: ${noDownload}. Using the MongoDB engine embedded in Node (from npm).`);
  const command = await orExplain(engineCommand(log, cache), noDownload);
  rememberFailure(cache, BINARY, noDownload);
  return { kind: 'engine', command };
}

/** @throws Error when MONGOMS_SYSTEM_BINARY is not an executable */
function installedMongod(env: NodeJS.ProcessEnv): FoundMongodb | undefined {
  const named = env.MONGOMS_SYSTEM_BINARY;
  if (named && !isExecutable(named)) throw new Error(`MONGOMS_SYSTEM_BINARY is not an executable file: ${named}`);
  const path = named ?? onPath(BINARY, env);
  return path ? { kind: 'mongod', path, origin: named ? 'MONGOMS_SYSTEM_BINARY' : 'on PATH' } : undefined;
}

/** @returns why it failed; undefined on success */
async function tryDownload(entry: string, log: Log): Promise<string | undefined> {
  try {
    await createEntry(entry, log, async (folder) => {
      const workFolder = join(folder, 'download');
      await mkdir(workFolder);
      await rename(await download('MongoDB', './download-mongod', workFolder, [MONGOD_VERSION]), join(folder, BINARY));
      await rm(workFolder, { recursive: true });
    });
    return undefined;
  } catch (error) {
    if (error instanceof NotPossibleError) return error.message;
    throw error;
  }
}

async function orExplain<T>(engine: Promise<T>, noDownload: string): Promise<T> {
  return await engine.catch((error: unknown) => {
    if (!(error instanceof NotPossibleError)) throw error;
    throw new Error(noServerMessage(noDownload, error.message));
  });
}

function noServerMessage(noDownload: string, noEngine: string): string {
  return `No MongoDB server is available. Choose one of these options and start again:
  - set MONGODB_URL to a running server (mongodb://host:port/runhook);
  - add \`mongod\` to PATH, or set MONGOMS_SYSTEM_BINARY to its path;
  - allow the download, which failed: ${noDownload};
  - allow the embedded engine, which failed: ${noEngine}`;
}
