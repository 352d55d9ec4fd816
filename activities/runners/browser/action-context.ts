import type { Attempt } from '#activities/runners/runner.js';
import type { Session } from './session.js';

/** What an action works with. */
export interface ActionContext {
  session: Session;
  attempt: Pick<Attempt, 'folder' | 'closedFolders' | 'artifacts'>;
  /** Those of the attempt, and what steps have remembered. */
  variables: Record<string, string>;
  baseUrl: string | undefined;
  timeoutMs: number;
  /** Keeps a picture under this name. */
  takePicture(name: string): Promise<string | undefined>;
}
