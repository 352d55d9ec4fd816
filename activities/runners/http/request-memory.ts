import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import type { Json } from '#src/domain/json.js';
import { createSecretMask, type SecretMask } from '#activities/run-log/masker.js';
import type { Attempt } from '#activities/runners/runner.js';
import { asText, type Values } from './values.js';

/** What the requests of an attempt have captured for those that follow. */
export interface RequestMemory {
  values: Values;
  /** @param found what a request has captured, by name */
  keep(request: HttpRequest, found: Record<string, Json>): void;
  /** Masks what was captured as a secret. */
  hide(text: string): string;
  /** Masks the run's secrets too. */
  mask(text: string): string;
}

export function createRequestMemory(attempt: Pick<Attempt, 'variables' | 'mask'>): RequestMemory {
  const captured = new Map<string, Json>();
  const secrets: string[] = [];
  let ownMask: SecretMask | undefined;
  const hide = (text: string) => ownMask?.text(text) ?? text;

  return {
    values: { variables: attempt.variables, captured },
    keep({ capture = {} }, found) {
      for (const [name, value] of Object.entries(found)) {
        captured.set(name, value);
        if (capture[name]?.secret) secrets.push(asText(value));
      }
      if (secrets.length > 0) ownMask = createSecretMask(secrets);
    },
    hide,
    mask: (text) => hide(attempt.mask(text)),
  };
}
