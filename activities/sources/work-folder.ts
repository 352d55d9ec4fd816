import { chmod, lstat, mkdir, mkdtemp, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandoned, claimFolder, touchFolder, TOUCH_MS } from './folder-owner.js';
import { removeTree as removeFolder } from './remove-tree.js';

/** Repositories and setups that were not used for this time are removed. */
const UNUSED_MS = 14 * 24 * 3_600_000;
/** Unfinished copies are removed after this time. */
const UNFINISHED_MS = 24 * 3_600_000;
const PASS_MS = 10 * 60_000;
/** How long a stopped attempt waits for the removal of its files, which can be many. */
const STOPPED_MS = 1000;

/** Files that a worker stores for tests. All but the folders of attempts are shared by the workers of a machine. */
export interface WorkFolder {
  /** Bare repositories. */
  repositories: string;
  /** Cached results of setups. */
  setups: string;
  /** Known host keys of ssh. */
  knownHosts: string;
  /** Folder of this worker, removed when it stops. */
  own: string;
  /**
   * Creates an empty folder for one attempt. `close` removes it.
   * @param signal when it is aborted, `close` resolves within a second, and the removal continues
   */
  forAttempt(signal: AbortSignal): Promise<{ folder: string; close(): Promise<void> }>;
  /** Removes the folder of this worker. */
  close(): Promise<void>;
}

/**
 * Opens the work folder, which only its owner can enter, and removes files of dead workers now and every ten minutes.
 * @param root absolute; created if missing
 * @throws Error if it belongs to another user
 */
export async function openWorkFolder(
  root: string,
  {
    workerId,
    warn,
    removeTree = removeFolder,
  }: { workerId: string; warn: (message: string) => void; removeTree?: typeof removeFolder },
): Promise<WorkFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const found = await lstat(root);
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid))
    throw new Error(`RUNHOOK_WORK_FOLDER ${root} is a symbolic link or belongs to another user. Use another folder.`);
  await chmod(root, 0o700);
  const [workers, repositories, setups] = ['workers', 'repositories', 'setups'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const own = join(workers, workerId);
  for (const folder of [repositories, setups, own]) await mkdir(folder, { recursive: true, mode: 0o700 });
  await claimFolder(own);

  const cleanUp = () => removeLeftovers({ workers, repositories, setups, own }).catch((error) => warn(String(error)));
  const timers = [
    setInterval(() => void touchFolder(own).catch((error) => warn(String(error))), TOUCH_MS).unref(),
    setInterval(() => void cleanUp(), PASS_MS).unref(),
  ];
  const cleaning = cleanUp();

  return {
    repositories,
    setups,
    knownHosts: join(root, 'known-hosts'),
    own,
    async forAttempt(signal) {
      const folder = await mkdtemp(join(own, 'attempt-'));
      const remove = () =>
        removeTree(folder).catch((error) => warn(`The folder ${folder} could not be removed: ${String(error)}`));
      return { folder, close: () => Promise.race([remove(), soonAfter(signal)]) };
    },
    async close() {
      timers.forEach(clearInterval);
      await cleaning;
      await removeTree(own).catch((error) => warn(String(error)));
    },
  };
}

/** Resolves some time after the signal is aborted. */
function soonAfter(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wait = () => setTimeout(resolve, STOPPED_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

async function removeLeftovers(folders: Record<'workers' | 'repositories' | 'setups' | 'own', string>): Promise<void> {
  for (const name of await readdir(folders.workers)) {
    const folder = join(folders.workers, name);
    if (folder !== folders.own && (await isAbandoned(folder).catch(() => false))) await removeFolder(folder);
  }
  for (const parent of [folders.repositories, folders.setups])
    for (const name of await readdir(parent)) {
      const path = join(parent, name);
      const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
      if (age > (/^(new|old)-/.test(name) ? UNFINISHED_MS : UNUSED_MS)) await removeFolder(path);
    }
}
