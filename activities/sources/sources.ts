import { realpath } from 'node:fs/promises';
import type { NetworkGuard } from '#activities/network/network-guard.js';
import type { ProcessRunner } from '#activities/processes/run-process.js';
import { createGit } from './git.js';
import { openGitNetwork } from './git-network.js';
import { createRepositoryCache } from './repository-cache.js';
import { createSetup } from './setup.js';
import { createSetupCache } from './setup-cache.js';
import { createTestFolders } from './test-folders.js';
import { openWorkFolder } from './work-folder.js';
import { createWorkspaces, type OpenWorkspace } from './workspace.js';

/** Protocols allowed when private networks are refused. */
const RESTRICTED_PROTOCOLS = ['https', 'file'];

export interface SourcesOptions {
  workerId: string;
  /** Absolute. */
  workFolder: string;
  /** Absolute: where a test's `cwd` is allowed. */
  testFolders: readonly string[];
  gitProtocols: readonly string[];
  /** See GitAccessOptions. Default: false. */
  workerSshKeys?: boolean;
  setupCacheBytes: number;
  /** Whether programs of tests are isolated. */
  isolates?: boolean;
  processes: ProcessRunner;
  /** Limits the network access. */
  guard: NetworkGuard;
  warn(message: string): void;
}

/** Creates everything that provides attempts with their files. @throws Error if the work folder cannot be used */
export async function openSources(
  options: SourcesOptions,
): Promise<{ openWorkspace: OpenWorkspace; close(): Promise<void> }> {
  const { processes, guard } = options;
  const workFolder = await openWorkFolder(options.workFolder, options);
  const closedFolders = [await realpath(options.workFolder)];
  const network = await openGitNetwork(guard, workFolder.own);
  const protocols = options.gitProtocols.filter(
    (protocol) => !guard.isRestricted || RESTRICTED_PROTOCOLS.includes(protocol),
  );
  const git = createGit({ processes, protocols, network });
  const cache = createSetupCache({ folder: workFolder.setups, maxBytes: options.setupCacheBytes, processes });
  const openWorkspace = createWorkspaces({
    workFolder,
    network,
    repositories: createRepositoryCache({ folder: workFolder.repositories, git }),
    runSetup: createSetup({ processes, cache, stateFolder: workFolder.setups }),
    findTestFolder: createTestFolders(options.testFolders, closedFolders),
    closedFolders,
    protocols,
    workerSshKeys: options.workerSshKeys ?? false,
    isolates: options.isolates,
  });
  return {
    openWorkspace,
    async close() {
      await Promise.all([workFolder.close(), network.close()]);
    },
  };
}
