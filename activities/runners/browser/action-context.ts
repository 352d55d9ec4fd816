import type { Attempt } from '#activities/runners/runner.js';
import type { Session } from './session.js';

/** Context of an action. */
export interface ActionContext {
  session: Session;
  attempt: Pick<Attempt, 'folder' | 'closedFolders' | 'artifacts'>;
  /** Variables of the attempt and those set by earlier steps. */
  variables: Record<string, string>;
  baseUrl: string | undefined;
  timeoutMs: number;
  /** Saves a screenshot under this name. */
  takeScreenshot(name: string): Promise<string | undefined>;
}
