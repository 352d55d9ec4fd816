import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findEntry, createEntry } from '#tools/stack/cache.js';
import { cacheFolder } from '#tools/stack/paths.js';
import type { Log } from '#tools/stack/log.js';
import { buildTemporal, pinnedTemporalVersion } from './build-temporal.js';
import { download } from './download.js';
import { NotPossibleError } from './not-possible.js';
import { onPath } from './on-path.js';

export type FoundTemporal = { kind: 'address'; address: string } | { kind: 'binary'; path: string; origin: string };

const BINARY = 'temporal';

/**
 * Finds, downloads or builds Temporal. In this order: TEMPORAL_ADDRESS, `temporal` on PATH, the SDK's official download, a
 * build with Go. Downloads and builds are cached.
 * @throws Error with the options when none is possible
 */
export async function findTemporal(log: Log, env: NodeJS.ProcessEnv = process.env): Promise<FoundTemporal> {
  if (env.TEMPORAL_ADDRESS) return { kind: 'address', address: env.TEMPORAL_ADDRESS };
  const installed = onPath(BINARY, env);
  if (installed) return { kind: 'binary', path: installed, origin: 'on PATH' };

  const cache = cacheFolder(env);
  const platform = `${process.platform}-${process.arch}`;
  const downloaded = join(cache, `temporal-sdk-${sdkVersion()}-${platform}`);
  const built = join(cache, `temporal-${pinnedTemporalVersion()}-${platform}`);
  if (await findEntry(downloaded, log)) return binary(downloaded, 'downloaded');
  if (await findEntry(built, log)) return binary(built, 'built with Go');

  log('Temporal: TEMPORAL_ADDRESS is not set and temporal is not on PATH. Downloading it.');
  const noDownload = await tryDownload(downloaded, log);
  if (noDownload === undefined) return binary(downloaded, 'downloaded');

  log(`Temporal: the download failed: ${noDownload}. Building it with Go.`);
  try {
    await createEntry(built, log, (folder) => buildTemporal(join(folder, BINARY), `${built}.log`, env));
  } catch (error) {
    if (!(error instanceof NotPossibleError)) throw error;
    throw new Error(noServerMessage(noDownload, error.message));
  }
  return binary(built, 'built with Go');
}

function binary(entry: string, origin: string): FoundTemporal {
  return { kind: 'binary', path: join(entry, BINARY), origin };
}

function sdkVersion(): string {
  return (createRequire(import.meta.url)('@temporalio/testing/package.json') as { version: string }).version;
}

/** @returns why it failed; undefined on success */
async function tryDownload(entry: string, log: Log): Promise<string | undefined> {
  try {
    await createEntry(entry, log, async (folder) => {
      const workFolder = join(folder, 'download');
      await mkdir(workFolder);
      await rename(await download('Temporal', './download-temporal', workFolder), join(folder, BINARY));
      await rm(workFolder, { recursive: true });
    });
    return undefined;
  } catch (error) {
    if (error instanceof NotPossibleError) return error.message;
    throw error;
  }
}

function noServerMessage(noDownload: string, noBuild: string): string {
  return `No Temporal server is available. Choose one of these options and start again:
  - set TEMPORAL_ADDRESS to a running server (host:port);
  - add Temporal's CLI \`temporal\` to PATH;
  - allow the download, which failed: ${noDownload};
  - allow a build with Go and a reachable Go module proxy, which failed: ${noBuild}`;
}
