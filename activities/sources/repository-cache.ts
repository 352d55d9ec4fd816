import { createHash } from 'node:crypto';
import { join } from 'node:path';
import QuickLRU from 'quick-lru';
import { createBareRepository } from './bare-repository.js';
import type { Git, GitAccess } from './git.js';
import type { WantedTree } from './repository.js';
import { createSharedWork } from './shared-work.js';
import { SourceError } from './source-error.js';

/** A repository as one project sees it: what another project may read is no business of this one. */
export interface CachedRepository {
  projectId: string;
  wanted: WantedTree;
  access: GitAccess;
}

export interface RepositoryCache {
  /**
   * What a branch, a tag, a commit or the default branch is at this moment.
   * @param once all who say the same get the same answer, however the branch moves: the tests of a suite's run
   * @returns the full id of the commit. @throws SourceError, SourceStoppedError
   */
  resolve(of: CachedRepository, signal: AbortSignal, once?: string): Promise<string>;
  /** Writes a commit's files into an empty folder; what is not here is fetched. @throws SourceError, SourceStoppedError */
  checkOut(of: CachedRepository, commit: string, folder: string, signal: AbortSignal): Promise<void>;
}

/** Of suites' runs under way. */
const MOST_ANSWERS = 1000;
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SHORT_ID = /^[0-9a-f]{4,63}$/;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** @param folder a bare repository for each project and address is kept below it, for all workers of the machine */
export function createRepositoryCache({ folder, git }: { folder: string; git: Git }): RepositoryCache {
  const resolving = createSharedWork<string>();
  const fetching = createSharedWork<void>();
  const answers = new QuickLRU<string, string>({ maxSize: MOST_ANSWERS });

  const pathOf = ({ projectId, wanted }: CachedRepository) => join(folder, hashOf(`${projectId}\n${wanted.url}`));
  const copyOf = (of: CachedRepository) =>
    createBareRepository({ git, path: pathOf(of), remote: { url: of.wanted.url, access: of.access } });

  /** Only those share work who come with the same right (a key of ssh goes with its attempt). */
  const accessOf = ({ access }: CachedRepository) => hashOf(JSON.stringify(access));

  async function ask(of: CachedRepository, signal: AbortSignal): Promise<string> {
    const { url, ref } = of.wanted;
    if (ref && FULL_ID.test(ref)) return ref;
    const copy = copyOf(of);
    const names = namesOf(ref);
    const found = await copy.list(names, signal);
    const name = names.find((one) => found.has(one));
    if (name) return found.get(name)!;
    if (ref && SHORT_ID.test(ref)) {
      const here = await copy.find(ref, signal);
      if (here) return here;
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
    async resolve(of, signal, once) {
      if (once === undefined) return ask(of, signal);
      const key = `${once}\n${pathOf(of)}\n${of.wanted.ref ?? ''}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      const found = await resolving(`${key}\n${accessOf(of)}`, signal, (all) => ask(of, all));
      const answer = answers.get(key) ?? found;
      answers.set(key, answer);
      return answer;
    },

    async checkOut(of, commit, target, signal) {
      const copy = copyOf(of);
      const keptAs = hashOf(of.wanted.ref ?? '');
      const once = async () => {
        if (!(await copy.find(commit, signal)))
          await fetching(`${pathOf(of)}\n${commit}\n${accessOf(of)}`, signal, (all) => copy.fetch(commit, keptAs, all));
        await copy.write(commit, target, signal);
      };
      await once().catch(async (error: unknown) => {
        if (!(await copy.removeIfBroken(error))) throw error;
        await once();
      });
    },
  };
}

/** In the order in which they are taken. `^{}` is the commit of a tag with a message of its own. */
function namesOf(ref: string | undefined): string[] {
  if (ref === undefined) return ['HEAD'];
  if (ref.startsWith('refs/')) return [`${ref}^{}`, ref];
  return [`refs/heads/${ref}`, `refs/tags/${ref}^{}`, `refs/tags/${ref}`];
}
