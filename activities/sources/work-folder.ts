import { chmod, lstat, mkdir, mkdtemp, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandoned, own, touch, TOUCH_MS } from './folder-owner.js';
import { removeTree } from './remove-tree.js';

/** A repository that no test has asked for so long is removed from the machine. */
const UNUSED_MS = 14 * 24 * 3_600_000;
/** What a process was making and has not finished. */
const UNFINISHED_MS = 24 * 3_600_000;
const PASS_MS = 10 * 60_000;

/** What a worker keeps on its machine for tests. All but the folders of attempts is shared with its neighbours. */
export interface WorkFolder {
  /** Bare repositories. */
  repositories: string;
  /** What setups have made. */
  setups: string;
  /** Keys of the hosts that ssh has met. */
  knownHosts: string;
  /** Of this worker; removed with it. */
  own: string;
  /** Makes an empty folder for one attempt. `close` removes it. */
  forAttempt(): Promise<{ folder: string; close(): Promise<void> }>;
  /** Removes what is this worker's own. */
  close(): Promise<void>;
}

/**
 * Opens the work folder, which only its owner can enter, and removes what dead workers have left in it: at once, and every
 * ten minutes.
 * @param root absolute; made when it is not there
 * @throws Error when it is somebody else's
 */
export async function openWorkFolder(
  root: string,
  { workerId, warn }: { workerId: string; warn: (message: string) => void },
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
  const mine = join(workers, workerId);
  for (const folder of [repositories, setups, mine]) await mkdir(folder, { recursive: true, mode: 0o700 });
  await own(mine);

  const tidyUp = () => removeLeftovers({ workers, repositories, setups, mine }).catch((error) => warn(String(error)));
  const timers = [
    setInterval(() => void touch(mine).catch((error) => warn(String(error))), TOUCH_MS).unref(),
    setInterval(() => void tidyUp(), PASS_MS).unref(),
  ];
  const tidying = tidyUp();

  return {
    repositories,
    setups,
    knownHosts: join(root, 'known-hosts'),
    own: mine,
    async forAttempt() {
      const folder = await mkdtemp(join(mine, 'attempt-'));
      const close = () =>
        removeTree(folder).catch((error) => warn(`The folder ${folder} could not be removed: ${String(error)}`));
      return { folder, close };
    },
    async close() {
      timers.forEach(clearInterval);
      await tidying;
      await removeTree(mine).catch((error) => warn(String(error)));
    },
  };
}

async function removeLeftovers(of: Record<'workers' | 'repositories' | 'setups' | 'mine', string>): Promise<void> {
  for (const name of await readdir(of.workers)) {
    const folder = join(of.workers, name);
    if (folder !== of.mine && (await isAbandoned(folder).catch(() => false))) await removeTree(folder);
  }
  for (const parent of [of.repositories, of.setups])
    for (const name of await readdir(parent)) {
      const path = join(parent, name);
      const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
      if (age > (/^(new|old)-/.test(name) ? UNFINISHED_MS : UNUSED_MS)) await removeTree(path);
    }
}
