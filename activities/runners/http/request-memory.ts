import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import type { Json } from '#src/domain/json.js';
import { createSecretMask, type SecretMask } from '#activities/run-log/masker.js';
import type { Attempt } from '#activities/runners/runner.js';
import { asText, type Values } from './values.js';

/** Values captured by earlier requests of an attempt. */
export interface RequestMemory {
  values: Values;
  /** @param found captured values by name */
  store(request: HttpRequest, found: Record<string, Json>): void;
  /** Masks captured secrets. */
  maskCaptured(text: string): string;
  /** Masks the run's secrets and captured secrets. */
  mask(text: string): string;
}

export function createRequestMemory(attempt: Pick<Attempt, 'variables' | 'mask'>): RequestMemory {
  const captured = new Map<string, Json>();
  const secrets: string[] = [];
  let capturedMask: SecretMask | undefined;
  const maskCaptured = (text: string) => capturedMask?.text(text) ?? text;

  return {
    values: { variables: attempt.variables, captured },
    store({ capture = {} }, found) {
      for (const [name, value] of Object.entries(found)) {
        captured.set(name, value);
        if (capture[name]?.secret) secrets.push(asText(value));
      }
      if (secrets.length > 0) capturedMask = createSecretMask(secrets);
    },
    maskCaptured,
    mask: (text) => maskCaptured(attempt.mask(text)),
  };
}
