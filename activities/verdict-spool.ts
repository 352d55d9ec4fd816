import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomId } from '#src/domain/ids.js';
import type { KeptVerdict } from '#src/domain/runs/kept-verdict.js';

/** More than a worker has slots, for many restarts in one outage. */
const FILES_MAX = 10_000;

/** Verdicts that wait for the database, in files that survive this process. */
export interface VerdictSpool {
  /** Writes one, whole or not at all; secrets must be masked. @throws Error where the disk does not take it */
  keep(kept: KeptVerdict): Promise<void>;
  find(runId: string, attempt: number): Promise<KeptVerdict | undefined>;
  remove(kept: Pick<KeptVerdict, 'runId' | 'attempt'>): Promise<void>;
  /** All stored verdicts; expired ones are deleted. */
  all(): Promise<KeptVerdict[]>;
}

/** @param folder of the worker; created on demand */
export function createVerdictSpool(folder: string): VerdictSpool {
  // One file per attempt. A run id is a UUID; it is still encoded so that it cannot be a path.
  const fileOf = (runId: string, attempt: number) => join(folder, `${encodeURIComponent(runId)}.${attempt}.json`);

  /** @returns undefined when it is missing or not readable as a verdict */
  async function read(file: string): Promise<KeptVerdict | undefined> {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as KeptVerdict;
    } catch {
      return undefined;
    }
  }

  const names = async () =>
    (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.json'));

  return {
    async keep(kept) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if ((await names()).length >= FILES_MAX) throw new Error(`${folder} already has ${FILES_MAX} verdicts`);
      const file = fileOf(kept.runId, kept.attempt);
      const unfinished = `${file}.${randomId()}`;
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await handle.writeFile(JSON.stringify(kept));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
    },
    find: (runId, attempt) => read(fileOf(runId, attempt)),
    remove: ({ runId, attempt }) => rm(fileOf(runId, attempt), { force: true }),
    async all() {
      const found: KeptVerdict[] = [];
      for (const name of await names()) {
        const kept = await read(join(folder, name));
        if (kept && kept.until > Date.now()) found.push(kept);
        else await rm(join(folder, name), { force: true });
      }
      return found;
    },
  };
}
