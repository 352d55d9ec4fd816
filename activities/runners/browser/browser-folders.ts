import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The folder of one browser process: its downloads, traces, and a note of the profile that it has elsewhere. */
export interface BrowserFolder {
  /** Absolute. */
  path: string;
  /** Writes down which profile the process uses, for whoever removes what a dead worker has left. */
  note(pid: number): Promise<void>;
  remove(): Promise<void>;
}

export interface BrowserFolders {
  /** A new folder; the first time, what dead workers have left is removed. */
  make(): Promise<BrowserFolder>;
}

const NOTE = 'profile';
/** Playwright makes profiles in the system's folder for temporary files, by this name. */
const PROFILE = /^playwright_[a-z]+dev_profile-\w+$/;

/** @param root absolute; a folder in it belongs to the process whose id its name begins with */
export function createBrowserFolders(root: string): BrowserFolders {
  let made = 0;
  let cleaned: Promise<void> | undefined;
  return {
    async make() {
      await (cleaned ??= removeOfDead(root));
      const path = join(root, `${process.pid}-${++made}-${Date.now().toString(36)}`);
      await mkdir(path, { recursive: true, mode: 0o700 });
      return {
        path,
        async note(pid) {
          const profile = await profileOf(pid);
          if (profile) await writeFile(join(path, NOTE), profile);
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

async function removeOfDead(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    if (isAlive(Number(name.split('-')[0]))) continue;
    const path = join(root, name);
    const profile = await readFile(join(path, NOTE), 'utf8').catch(() => undefined);
    if (profile && PROFILE.test(basename(profile)) && dirname(profile) === tmpdir())
      await rm(profile, { recursive: true, force: true });
    await rm(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
