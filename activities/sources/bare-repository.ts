import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git, GitAccess, GitResult } from './git.js';
import { SourceError } from './source-error.js';

/** A remote repository and the access to it. */
export interface Remote {
  /** Without credentials. */
  url: string;
  access: GitAccess;
}

/** The remote does not support fetching a commit by its id, or shallow fetches. */
const NEEDS_ALL = /not our ref|unadvertised object|shallow|no such remote ref|couldn't find remote ref/i;
/** Errors that a crash or a full disk can cause. */
const BROKEN =
  /File exists|not a git repository|corrupt|bad (?:tree )?object|object file|in object|did not send all|unable to read|failed to unpack tree/i;

/** A copy of a remote in a bare repository: the newest commits of requested branches and tags, without history. */
export function createBareRepository({ git, path, remote }: { git: Git; path: string; remote: Remote }) {
  const { url, access } = remote;

  /** Creates the repository atomically. Its modification time marks it as used. */
  async function open(signal: AbortSignal): Promise<void> {
    if (!existsSync(path)) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const created = await mkdtemp(join(dirname(path), 'new-'));
      await orThrow(
        await git({ args: ['init', '--quiet', '--bare', '--template=', created], signal }),
        'could not be copied',
      );
      await rename(created, path).catch(() => rm(created, { recursive: true })); // Created concurrently.
    }
    await utimes(path, new Date(), new Date());
  }

  function fetch(what: string[], more: string[], signal: AbortSignal): Promise<GitResult> {
    const args = ['--git-dir', path, 'fetch', '--quiet', '--force', '--no-tags', '--no-write-fetch-head', ...more];
    return git({ args: [...args, '--', url, ...what], signal, access, lock: `${path}.lock` });
  }

  async function orThrow(result: GitResult, problem: string): Promise<GitResult> {
    if (result.code !== 0) {
      const failure = NOT_CONNECTED.test(result.stderr) ? await access.failure?.() : undefined;
      throw new SourceError(`The repository ${url} ${problem}. ${gitMessage(result, failure)}`);
    }
    return result;
  }

  /** Fetches all branches and tags with their history. @throws SourceError */
  async function fetchAll(signal: AbortSignal): Promise<void> {
    await open(signal);
    const deepen = existsSync(join(path, 'shallow')) ? ['--unshallow'] : [];
    await orThrow(await fetch(['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'], deepen, signal), NOT_FETCHED);
  }

  /** @returns the full id of a commit in the copy */
  async function find(revision: string, signal: AbortSignal): Promise<string | undefined> {
    if (!existsSync(path)) return undefined;
    const args = ['--git-dir', path, 'rev-parse', '--quiet', '--verify', `${revision}^{commit}`];
    const { code, stdout } = await git({ args, signal });
    return code === 0 ? stdout.trim() : undefined;
  }

  return {
    fetchAll,
    find,

    /** @returns the commit ids of the remote's current refs, by name. @throws SourceError */
    async list(names: string[], signal: AbortSignal): Promise<Map<string, string>> {
      const result = await orThrow(
        await git({ args: ['ls-remote', '--', url, ...names], signal, access }),
        NOT_FETCHED,
      );
      const lines = result.stdout.trim().split('\n');
      return new Map(lines.map((line) => line.split('\t').reverse() as [string, string]));
    },

    /**
     * Fetches a commit.
     * @param refName name of the local ref that keeps it; replaces an existing one
     * @throws SourceError
     */
    async fetch(commit: string, refName: string, signal: AbortSignal): Promise<void> {
      await open(signal);
      const result = await fetch([`+${commit}:refs/runhook/${refName}`], ['--depth=1'], signal);
      if (result.code !== 0 && NEEDS_ALL.test(result.stderr)) await fetchAll(signal);
      else await orThrow(result, NOT_FETCHED);
      if (!(await find(commit, signal)))
        throw new SourceError(`The repository ${url} has no commit ${commit}: it was deleted or never pushed.`);
    },

    /** Writes a commit's files to an empty folder. @throws SourceError */
    async write(commit: string, folder: string, signal: AbortSignal): Promise<void> {
      const args = ['--git-dir', path, '--work-tree', folder, 'read-tree', '--reset', '-u', commit];
      const env = { GIT_INDEX_FILE: `${folder}.index` };
      await orThrow(await git({ args, signal, env }), `could not be written into ${folder}`);
    },

    /** Removes a broken copy, so that it is fetched again. @returns whether it was broken */
    async removeIfBroken(error: unknown): Promise<boolean> {
      if (!(error instanceof SourceError && BROKEN.test(error.message)) || !existsSync(path)) return false;
      const old = await mkdtemp(join(dirname(path), 'old-'));
      await rename(path, join(old, 'repository')).catch(() => {}); // Removed concurrently.
      await rm(old, { recursive: true, force: true });
      return true;
    },
  };
}

const NOT_FETCHED = 'could not be fetched';

/** The guard proxy could not connect. */
const NOT_CONNECTED = /CONNECT tunnel failed, response 502|HTTP code 502 from proxy|Empty reply from server/i;

/** Git's last lines, and what to do. @param failure why there was no connection */
function gitMessage({ code, stderr }: GitResult, failure?: string): string {
  const lines = stderr.split('\n').filter((line) => /\S/.test(line) && !/^(warning|hint):/.test(line));
  const output = lines.slice(-6).join(' ').slice(-1500);
  const reason = failure === undefined ? '' : ` (${failure})`;
  return `Git: ${output || `no output, exit code ${code}`}${reason} ${whatToDo(output)}`;
}

function whatToDo(output: string): string {
  if (
    /is not allowed as a destination|(CONNECT tunnel failed, response|from proxy after CONNECT|HTTP code) 403|code 403 from proxy/i.test(
      output,
    )
  )
    return 'This worker blocks link-local addresses and metadata services, and private networks if it is configured to (RUNHOOK_ALLOWED_NETWORKS, RUNHOOK_PRIVATE_NETWORKS).';
  if (
    /Authentication failed|could not read (Username|Password)|Permission denied|Access denied|error: 40[13]/i.test(
      output,
    )
  )
    return 'Check the credentials: reference a password or token in git.url as a secret variable, or set GIT_SSH_KEY to an SSH key.';
  if (
    NOT_CONNECTED.test(output) ||
    /Could not resolve host|proxy could not connect|Connection refused|timed out|unreachable|Failed to connect/i.test(
      output,
    )
  )
    return 'Check the host in git.url and whether this worker can reach it.';
  if (/Host key verification/i.test(output))
    return 'The host key is unknown or has changed: set GIT_SSH_KNOWN_HOSTS to the current host keys.';
  if (/not found|does not exist|does not appear to be/i.test(output))
    return 'Check git.url. Git hosts also report this when the credentials do not grant access.';
  return 'Check git.url and git.ref.';
}
