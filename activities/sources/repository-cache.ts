import { createHash } from 'node:crypto';
import { join } from 'node:path';
import QuickLRU from 'quick-lru';
import { createBareRepository } from './bare-repository.js';
import type { Git, GitAccess } from './git.js';
import type { RequestedTree } from './repository.js';
import { createSharedWork } from './shared-work.js';
import { SourceError } from './source-error.js';

/** A repository of one project. Projects do not share copies, because their access may differ. */
export interface CachedRepository {
  projectId: string;
  tree: RequestedTree;
  access: GitAccess;
}

export interface RepositoryCache {
  /**
   * Resolves a branch, a tag, a commit or the default branch to its current commit.
   * @param once calls with the same value get the same commit, even if the branch moves: the tests of one suite run
   * @returns the full id of the commit. @throws SourceError, SourceStoppedError
   */
  resolve(repository: CachedRepository, signal: AbortSignal, once?: string): Promise<string>;
  /**
   * Writes a commit's files to an empty folder; fetches the commit if needed.
   * @throws SourceError, SourceStoppedError
   */
  checkOut(repository: CachedRepository, commit: string, folder: string, signal: AbortSignal): Promise<void>;
}

/** Resolved refs of suite runs in progress. */
const MAX_RESOLVED = 1000;
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SHORT_ID = /^[0-9a-f]{4,63}$/;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** @param folder for one bare repository per project and URL, shared by all workers of the machine */
export function createRepositoryCache({ folder, git }: { folder: string; git: Git }): RepositoryCache {
  const resolving = createSharedWork<string>();
  const fetching = createSharedWork<void>();
  const resolved = new QuickLRU<string, string>({ maxSize: MAX_RESOLVED });

  const pathOf = ({ projectId, tree }: CachedRepository) => join(folder, hashOf(`${projectId}\n${tree.url}`));
  const copyOf = (repository: CachedRepository) =>
    createBareRepository({
      git,
      path: pathOf(repository),
      remote: { url: repository.tree.url, access: repository.access },
    });

  /** Only calls with the same access share work. (SSH keys belong to one attempt.) */
  const accessOf = ({ access }: CachedRepository) => hashOf(JSON.stringify(access));

  async function resolveNow(repository: CachedRepository, signal: AbortSignal): Promise<string> {
    const { url, ref } = repository.tree;
    if (ref && FULL_ID.test(ref)) return ref;
    const copy = copyOf(repository);
    const names = namesOf(ref);
    const found = await copy.list(names, signal);
    const name = names.find((candidate) => found.has(candidate));
    if (name) return found.get(name)!;
    if (ref && SHORT_ID.test(ref)) {
      const local = await copy.find(ref, signal);
      if (local) return local;
      await copy.fetchAll(signal);
      const commit = await copy.find(ref, signal);
      if (commit) return commit;
    }
    throw new SourceError(
      ref
        ? `The repository ${url} has no branch, tag or commit "${ref}". Correct git.ref, or push it.`
        : `The repository ${url} has no commits yet. Push one.`,
    );
  }

  return {
    async resolve(repository, signal, once) {
      if (once === undefined) return resolveNow(repository, signal);
      const key = `${once}\n${pathOf(repository)}\n${repository.tree.ref ?? ''}`;
      const existing = resolved.get(key);
      if (existing !== undefined) return existing;
      const found = await resolving(`${key}\n${accessOf(repository)}`, signal, (shared) =>
        resolveNow(repository, shared),
      );
      const commit = resolved.get(key) ?? found;
      resolved.set(key, commit);
      return commit;
    },

    async checkOut(repository, commit, target, signal) {
      const copy = copyOf(repository);
      const refName = hashOf(repository.tree.ref ?? '');
      const write = async () => {
        if (!(await copy.find(commit, signal)))
          await fetching(`${pathOf(repository)}\n${commit}\n${accessOf(repository)}`, signal, (shared) =>
            copy.fetch(commit, refName, shared),
          );
        await copy.write(commit, target, signal);
      };
      await write().catch(async (error: unknown) => {
        if (!(await copy.removeIfBroken(error))) throw error;
        await write();
      });
    },
  };
}

/** Candidate names in order of precedence. `^{}` is the commit of an annotated tag. */
function namesOf(ref: string | undefined): string[] {
  if (ref === undefined) return ['HEAD'];
  if (ref.startsWith('refs/')) return [`${ref}^{}`, ref];
  return [`refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`];
}
