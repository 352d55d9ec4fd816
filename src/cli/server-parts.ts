import type { Check } from '../domain/check.js';

/** What only a machine with the server's parts can do. They are loaded when one is called, and not before. */
export interface ServerParts {
  /** `runhook setup`. @param options.projectFiles to be imported */
  setUp(options: { projectFiles: string[]; rebindTemporal: boolean }): Promise<void>;
  /** `runhook secrets rotate`. @returns 1 when some could not be sealed again */
  rotateSecrets(): Promise<0 | 1>;
  /** The checks of the server's dependencies that its environment names; none where it names none. */
  checkServerParts(): Promise<Check[]>;
}
