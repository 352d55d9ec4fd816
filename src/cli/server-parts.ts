import type { Check } from '#src/domain/check.js';

/** Commands that require the server's code and settings, which are loaded only when called. */
export interface ServerParts {
  /** `runhook setup`. @param options.projectFiles files to import */
  setUp(options: { projectFiles: string[]; rebindTemporal: boolean }): Promise<void>;
  /** `runhook secrets rotate`. @returns 1 if some secrets could not be re-encrypted */
  rotateSecrets(): Promise<0 | 1>;
  /** Checks of the server's dependencies that are configured in the environment. */
  checkServerParts(): Promise<Check[]>;
}
