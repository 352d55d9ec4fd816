import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git, GitAccess, GitResult } from './git.js';
import { SourceError } from './source-error.js';

/** What of a remote's is where. */
export interface Remote {
  /** Without credentials. */
  url: string;
  access: GitAccess;
}

/** The remote does not give a commit by its id, or no part of a history. */
const NEEDS_ALL = /not our ref|unadvertised object|shallow|no such remote ref|couldn't find remote ref/i;
/** What a crash or a full disk leaves. */
const BROKEN =
  /File exists|not a git repository|corrupt|bad (?:tree )?object|object file|in object|did not send all|unable to read|failed to unpack tree/i;

/** The copy of a remote in a bare repository: of each branch and tag that was asked for the newest commit, without its past. */
export function createBareRepository({ git, path, remote }: { git: Git; path: string; remote: Remote }) {
  const { url, access } = remote;

  /** Made whole in one moment; touched, so that those of no use can be told. */
  async function open(signal: AbortSignal): Promise<void> {
    if (!existsSync(path)) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const made = await mkdtemp(join(dirname(path), 'new-'));
      await orThrow(
        await git({ args: ['init', '--quiet', '--bare', '--template=', made], signal }),
        'could not be copied',
      );
      await rename(made, path).catch(() => rm(made, { recursive: true })); // Another made it meanwhile.
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
      throw new SourceError(`The repository ${url} ${problem}. ${whatGitSaid(result, failure)}`);
    }
    return result;
  }

  /** All branches and tags with their past. @throws SourceError */
  async function fetchAll(signal: AbortSignal): Promise<void> {
    await open(signal);
    const deepen = existsSync(join(path, 'shallow')) ? ['--unshallow'] : [];
    await orThrow(await fetch(['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'], deepen, signal), NOT_FETCHED);
  }

  /** @returns the full id of a commit that is here */
  async function find(revision: string, signal: AbortSignal): Promise<string | undefined> {
    if (!existsSync(path)) return undefined;
    const args = ['--git-dir', path, 'rev-parse', '--quiet', '--verify', `${revision}^{commit}`];
    const { code, stdout } = await git({ args, signal });
    return code === 0 ? stdout.trim() : undefined;
  }

  return {
    fetchAll,
    find,

    /** @returns what the remote's refs of these names are at this moment, by name. @throws SourceError */
    async list(names: string[], signal: AbortSignal): Promise<Map<string, string>> {
      const result = await orThrow(
        await git({ args: ['ls-remote', '--', url, ...names], signal, access }),
        NOT_FETCHED,
      );
      const lines = result.stdout.trim().split('\n');
      return new Map(lines.map((line) => line.split('\t').reverse() as [string, string]));
    },

    /** Fetches a commit. @param keptAs a name for it here: the next of the same name takes its place. @throws SourceError */
    async fetch(commit: string, keptAs: string, signal: AbortSignal): Promise<void> {
      await open(signal);
      const result = await fetch([`+${commit}:refs/runhook/${keptAs}`], ['--depth=1'], signal);
      if (result.code !== 0 && NEEDS_ALL.test(result.stderr)) await fetchAll(signal);
      else await orThrow(result, NOT_FETCHED);
      if (!(await find(commit, signal)))
        throw new SourceError(`The repository ${url} has no commit ${commit}: it was deleted or never pushed.`);
    },

    /** Writes a commit's files into an empty folder. @throws SourceError */
    async write(commit: string, folder: string, signal: AbortSignal): Promise<void> {
      const args = ['--git-dir', path, '--work-tree', folder, 'read-tree', '--reset', '-u', commit];
      const env = { GIT_INDEX_FILE: `${folder}.index` };
      await orThrow(await git({ args, signal, env }), `could not be written into ${folder}`);
    },

    /** Removes a copy that is broken: all of it can be had again. @returns whether it was */
    async removeIfBroken(error: unknown): Promise<boolean> {
      if (!(error instanceof SourceError && BROKEN.test(error.message)) || !existsSync(path)) return false;
      const old = await mkdtemp(join(dirname(path), 'old-'));
      await rename(path, join(old, 'repository')).catch(() => {}); // Another did.
      await rm(old, { recursive: true, force: true });
      return true;
    },
  };
}

const NOT_FETCHED = 'could not be fetched';

/** The guard proxy has reached nothing. */
const NOT_CONNECTED = /CONNECT tunnel failed, response 502|HTTP code 502 from proxy|Empty reply from server/i;

/** Its last lines, and what to do about them. @param failure why there was no connection */
function whatGitSaid({ code, stderr }: GitResult, failure?: string): string {
  const lines = stderr.split('\n').filter((line) => /\S/.test(line) && !/^(warning|hint):/.test(line));
  const said = lines.slice(-6).join(' ').slice(-1500);
  const reason = failure === undefined ? '' : ` (${failure})`;
  return `Git: ${said || `no output, exit code ${code}`}${reason} ${whatToDo(said)}`;
}

function whatToDo(said: string): string {
  if (
    /is not allowed as a destination|(CONNECT tunnel failed, response|from proxy after CONNECT|HTTP code) 403|code 403 from proxy/i.test(
      said,
    )
  )
    return 'This worker blocks link-local addresses and metadata services, and private networks if it is configured to (RUNHOOK_ALLOWED_NETWORKS, RUNHOOK_PRIVATE_NETWORKS).';
  if (
    /Authentication failed|could not read (Username|Password)|Permission denied|Access denied|error: 40[13]/i.test(said)
  )
    return 'Check the credentials: reference a password or token in git.url as a secret variable, or set GIT_SSH_KEY to an SSH key.';
  if (
    NOT_CONNECTED.test(said) ||
    /Could not resolve host|proxy could not connect|Connection refused|timed out|unreachable|Failed to connect/i.test(
      said,
    )
  )
    return 'Check the host in git.url and whether this worker can reach it.';
  if (/Host key verification/i.test(said))
    return 'The host key is unknown or has changed: set GIT_SSH_KNOWN_HOSTS to the current host keys.';
  if (/not found|does not exist|does not appear to be/i.test(said))
    return 'Check git.url. Git hosts also report this when the credentials do not grant access.';
  return 'Check git.url and git.ref.';
}
