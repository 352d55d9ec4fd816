import { open, SecretBoxError } from '#src/domain/variables/secret-box.js';
import type { Variable } from '#src/domain/variables/variables.js';

/** Variables as a test gets them. */
export interface OpenVariables {
  values: Record<string, string>;
  /** Every secret value among the sources, those that another source overrides included: none may be shown. */
  secrets: string[];
}

/** A variable cannot be read; the message says which, why, and what to do. */
export class VariablesUnreadableError extends Error {
  override name = 'VariablesUnreadableError';
}

/**
 * Puts variables of several sources together; the later ones win.
 * @param secretKeys AES-256 keys, in any order
 * @throws VariablesUnreadableError when a secret one cannot be opened
 */
export function openVariables(secretKeys: readonly Buffer[], sources: readonly (readonly Variable[])[]): OpenVariables {
  const opened = sources.flat().map(({ key, isSecret, value = '', sealed }) => ({
    key,
    isSecret,
    value: sealed === undefined ? value : openOne(secretKeys, key, sealed),
  }));
  return {
    values: Object.fromEntries(opened.map(({ key, value }) => [key, value])),
    secrets: [...new Set(opened.filter(({ isSecret }) => isSecret).map(({ value }) => value))],
  };
}

function openOne(secretKeys: readonly Buffer[], key: string, sealed: string): string {
  try {
    return open(secretKeys, sealed);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    throw new VariablesUnreadableError(`The secret variable ${key} cannot be decrypted. ${error.message}`, {
      cause: error,
    });
  }
}
