import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptVerdict, TestRun } from '../../src/domain/run.js';
import type { Attempt } from '../runners/runner.js';

/** The files of one attempt. */
export interface Workspace {
  /** Absolute: where the test runs. */
  folder: string;
  /** Of a test whose files come from a repository. */
  commit?: string;
  /** Removes what was made for it. */
  close(): Promise<void>;
}

/**
 * Makes an attempt's files ready: a repository's tree, and what its setup makes of it.
 * @returns the workspace, or the verdict on an attempt whose files cannot be made ready (`SOURCE_FAILED`, `SETUP_FAILED`,
 *   `stopped`)
 */
export type OpenWorkspace = (run: TestRun, attempt: Omit<Attempt, 'folder'>) => Promise<Workspace | AttemptVerdict>;

/** @param workFolder absolute; what attempts need for themselves is made below it */
export function createWorkspaces({ workFolder }: { workFolder: string }): OpenWorkspace {
  return async ({ definition }) => {
    if (definition.cwd !== undefined) return { folder: definition.cwd, close: async () => {} };
    const folder = await mkdtemp(join(workFolder, 'attempt-'));
    return { folder, close: () => rm(folder, { recursive: true, force: true }) };
  };
}
