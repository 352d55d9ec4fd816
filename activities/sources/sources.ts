import type { ProcessRunner } from '../processes/run-process.js';
import { createGit } from './git.js';
import { createRepositoryCache } from './repository-cache.js';
import { createSetup } from './setup.js';
import { createSetupCache } from './setup-cache.js';
import { openWorkFolder } from './work-folder.js';
import { createWorkspaces, type OpenWorkspace } from './workspace.js';

export interface SourcesOptions {
  workerId: string;
  /** Absolute. */
  workFolder: string;
  gitProtocols: readonly string[];
  setupCacheBytes: number;
  processes: ProcessRunner;
  warn(message: string): void;
}

/** Builds what gives attempts their files. @throws Error when the work folder cannot be used */
export async function openSources(
  options: SourcesOptions,
): Promise<{ openWorkspace: OpenWorkspace; close(): Promise<void> }> {
  const { processes, gitProtocols: protocols } = options;
  const workFolder = await openWorkFolder(options.workFolder, options);
  const git = createGit({ processes, protocols });
  const cache = createSetupCache({ folder: workFolder.setups, maxBytes: options.setupCacheBytes, processes });
  const openWorkspace = createWorkspaces({
    workFolder,
    repositories: createRepositoryCache({ folder: workFolder.repositories, git }),
    runSetup: createSetup({ processes, cache, notes: workFolder.setups }),
    protocols,
  });
  return { openWorkspace, close: workFolder.close };
}
