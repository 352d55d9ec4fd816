import { open, SecretBoxError } from '#src/domain/variables/secret-box.js';
import type { Variable } from '#src/domain/variables/variables.js';

/** Decrypted variables of a test. */
export interface OpenVariables {
  values: Record<string, string>;
  /** All secret values to mask, including those that another source overrides. */
  secrets: string[];
}

/** A variable cannot be decrypted. The message is for users. */
export class VariablesUnreadableError extends Error {
  override name = 'VariablesUnreadableError';
}

/**
 * Decrypts and merges variables; later sources take precedence.
 * @param secretKeys AES-256 keys, in any order
 * @throws VariablesUnreadableError when a secret variable cannot be decrypted
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
