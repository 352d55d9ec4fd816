import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isRunning } from '#activities/processes/proc-scan.js';

/** The folder of one browser process, with its downloads, traces, and the path of its browser profile. */
export interface BrowserFolder {
  /** Absolute. */
  path: string;
  /** Saves the path of the process's browser profile, so that a later worker can remove it. */
  saveProfilePath(pid: number): Promise<void>;
  remove(): Promise<void>;
}

export interface BrowserFolders {
  /** Creates a folder. The first call also removes the folders of dead workers. */
  create(): Promise<BrowserFolder>;
}

const PROFILE_FILE = 'profile';
/** Name of the browser profiles that Playwright creates in the system's folder for temporary files. */
const PROFILE = /^playwright_[a-z]+dev_profile-\w+$/;

/** @param root absolute; the names of its folders begin with the id of their process */
export function createBrowserFolders(root: string): BrowserFolders {
  let created = 0;
  let cleaned: Promise<void> | undefined;
  return {
    async create() {
      await (cleaned ??= removeFoldersOfDead(root));
      const path = join(root, `${process.pid}-${++created}-${Date.now().toString(36)}`);
      await mkdir(path, { recursive: true, mode: 0o700 });
      return {
        path,
        async saveProfilePath(pid) {
          const profile = await profileOf(pid);
          if (profile) await writeFile(join(path, PROFILE_FILE), profile);
        },
        remove: () => rm(path, { recursive: true, force: true }),
      };
    },
  };
}

async function profileOf(pid: number): Promise<string | undefined> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command
    .split('\0')
    .map((argument) => argument.replace('--user-data-dir=', ''))
    .find((argument) => PROFILE.test(basename(argument)));
}

async function removeFoldersOfDead(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    if (isRunning(Number(name.split('-')[0]))) continue;
    const path = join(root, name);
    const profile = await readFile(join(path, PROFILE_FILE), 'utf8').catch(() => undefined);
    if (profile && PROFILE.test(basename(profile)) && dirname(profile) === tmpdir())
      await rm(profile, { recursive: true, force: true });
    await rm(path, { recursive: true, force: true });
  }
}
