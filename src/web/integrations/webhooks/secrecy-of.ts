import type { Secrecy } from '#src/web/components/copy.js';

/** How the page of a project's webhooks keeps a token from view: all are shown, or none. */
export function secrecyOf(masked: string, isRevealed: boolean): Secrecy {
  return { masked, isRevealed, otherPage: isRevealed ? '?' : '?show=token' };
}
