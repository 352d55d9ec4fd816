import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptVerdict, TestRun } from '#src/domain/runs/run.js';
import { LONGEST_FETCH_MS, type GitSource } from '#src/domain/targets/test-source.js';
import { VariableMissingError } from '#activities/fill-in.js';
import { isInside } from '#activities/files/closed-folders.js';
import type { Sandbox } from '#activities/isolation/sandbox.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { GitNetwork } from './git-network.js';
import { accessTo, requestedTree } from './repository.js';
import type { RepositoryCache } from './repository-cache.js';
import type { RunSetup } from './setup.js';
import { SourceError, SourceStoppedError } from './source-error.js';
import type { FindTestFolder } from './test-folders.js';
import { folderIn, refuseLinksOutside } from './tree-links.js';
import type { WorkFolder } from './work-folder.js';

/** The files of one attempt. */
export interface Workspace {
  /** Absolute; the test runs in it. */
  folder: string;
  /** See Attempt. */
  closedFolders?: readonly string[];
  /** Absent where programs are not isolated. */
  sandbox?: Sandbox;
  /** The commit, if the files come from a repository. */
  commit?: string;
  /** Removes the files of the attempt. */
  close(): Promise<void>;
}

/**
 * Prepares an attempt's files: checks out its repository and runs its setup.
 * @returns the workspace, or a verdict if the files cannot be prepared (`SOURCE_FAILED`, `SETUP_FAILED`,
 *   `FOLDER_NOT_ALLOWED`, `stopped`)
 */
export type OpenWorkspace = (run: TestRun, attempt: Omit<Attempt, 'folder'>) => Promise<Workspace | AttemptVerdict>;

export interface WorkspaceOptions {
  workFolder: Pick<WorkFolder, 'forAttempt' | 'knownHosts'>;
  network: Pick<GitNetwork, 'sshOptions' | 'proxyOf' | 'failureAt'>;
  repositories: RepositoryCache;
  runSetup: RunSetup;
  /** Checks whether `cwd` is allowed. */
  findTestFolder: FindTestFolder;
  /** Real paths of the worker's own folders. */
  closedFolders: readonly string[];
  /** Protocols that git may use. */
  protocols: readonly string[];
  /** See GitAccessOptions. */
  workerSshKeys: boolean;
  /** How long a fetch may take, in ms. */
  fetchMs?: number;
  /** Whether programs are isolated. */
  isolates?: boolean;
}

export function createWorkspaces(options: WorkspaceOptions): OpenWorkspace {
  const { workFolder, runSetup, findTestFolder, closedFolders, isolates = false } = options;

  async function withSetup(workspace: Workspace, run: TestRun, attempt: Omit<Attempt, 'folder'>, isOwnFolder: boolean) {
    const { folder, commit, sandbox } = workspace;
    const { setup, limits } = run.definition;
    const verdict =
      setup && (await runSetup(setup, { ...attempt, folder, closedFolders, sandbox }, isOwnFolder, limits));
    if (!verdict) return workspace;
    await workspace.close();
    return commit === undefined ? verdict : { ...verdict, commit };
  }

  return async (run, attempt) => {
    const { cwd, git } = run.definition;
    const found = !git && cwd !== undefined ? await findTestFolder(cwd) : undefined;
    if (found && 'refused' in found) return notAllowed(found.refused);
    if (isolates && found?.folder === '/')
      return notAllowed(
        'The working folder / contains the system, so isolated tests cannot use it. Correct the cwd of the test.',
      );
    const { folder: own, close } = await workFolder.forAttempt(attempt.signal);
    const sandboxWith = (files: Omit<Sandbox, 'home' | 'tmp'>) => (isolates ? makeSandbox(own, files) : undefined);
    try {
      if (found) {
        const { folder, root } = found;
        const sandbox = await sandboxWith({
          readable: root === '/' ? [] : [root],
          writable: [folder],
          hidden: closedFolders.filter((one) => [root, folder].some((shown) => isInside(one, shown))),
        });
        return await withSetup({ folder, closedFolders, sandbox, close }, run, attempt, false);
      }
      const tree = join(await realpath(own), 'tree');
      await mkdir(tree);
      const sandbox = await sandboxWith({ readable: [], writable: [tree], hidden: [] });
      const files = git ? await fetchTree(options, git, run, attempt, own, tree) : { folder: tree };
      return await withSetup({ ...files, closedFolders, sandbox, close }, run, attempt, true);
    } catch (error) {
      await close();
      if (error instanceof SourceStoppedError || attempt.signal.aborted) return { status: 'stopped' };
      if (error instanceof SourceError) return sourceFailed(error.message);
      if (error instanceof VariableMissingError)
        return { status: 'error', errorCode: 'VARIABLE_MISSING', errorMessage: error.message };
      throw error;
    }
  };
}

const notAllowed = (errorMessage: string): AttemptVerdict => ({
  status: 'error',
  errorCode: 'FOLDER_NOT_ALLOWED',
  errorMessage,
});

const sourceFailed = (errorMessage: string): AttemptVerdict => ({
  status: 'error',
  errorCode: 'SOURCE_FAILED',
  errorMessage,
});

/**
 * @param folder private folder of the attempt
 * @returns the test's folder in the tree
 * @throws SourceError, SourceStoppedError, VariableMissingError
 */
async function fetchTree(
  { repositories, workFolder, network, protocols, workerSshKeys, fetchMs = LONGEST_FETCH_MS }: WorkspaceOptions,
  git: GitSource,
  run: TestRun,
  { variables, projectId, log, signal }: Omit<Attempt, 'folder'>,
  folder: string,
  tree: string,
): Promise<Pick<Workspace, 'folder' | 'commit'>> {
  const startedAt = performance.now();
  const requested = requestedTree(git, variables, protocols);
  const what = `${requested.url}${requested.ref === undefined ? '' : ` ${requested.ref}`}`;
  await log.write('system', `— fetching ${what}\n`);
  const limit = AbortSignal.timeout(fetchMs);
  const fetchSignal = AbortSignal.any([signal, limit]);
  try {
    const access = await accessTo(requested, variables, {
      folder,
      knownHosts: workFolder.knownHosts,
      workerSshKeys,
      network,
      signal: fetchSignal,
    });
    const repository = { projectId, tree: requested, access };
    const commit = commitOfEarlier(run) ?? (await repositories.resolve(repository, fetchSignal, run.suiteRunId));
    await repositories.checkOut(repository, commit, tree, fetchSignal);
    await refuseLinksOutside(tree, fetchSignal);
    const testFolder = await folderIn(tree, requested.path);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    await log.write('system', `— checked out commit ${commit} in ${seconds} s\n`);
    return { folder: testFolder, commit };
  } catch (error) {
    if (!limit.aborted || signal.aborted) throw error;
    throw new SourceError(
      `The repository ${requested.url} was not fetched within ${fetchMs / 1000} s. Check the Git host and the network of this worker. Run tests of very large repositories with their own workers.`,
    );
  }
}

/** Retries use the commit of the first attempt. */
function commitOfEarlier({ attempts }: TestRun): string | undefined {
  return attempts.find(({ verdict }) => verdict?.commit)?.verdict?.commit;
}

/** @param folder private folder of the attempt */
async function makeSandbox(folder: string, files: Omit<Sandbox, 'home' | 'tmp'>): Promise<Sandbox> {
  const own = await realpath(folder);
  const [home, tmp] = [join(own, 'home'), join(own, 'tmp')];
  for (const one of [home, tmp]) await mkdir(one);
  return { home, tmp, ...files };
}
