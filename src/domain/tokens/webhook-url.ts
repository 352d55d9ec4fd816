import type { TargetKind } from '#src/domain/targets/target-kind.js';

/** The path of a webhook: what the spec's section 4 says. */
export function webhookPath(token: string, kind: TargetKind, targetId: string): string {
  return `/webhooks/${token}/${kind}s/run/${targetId}`;
}

/** In place of an id in a webhook URL for people to fill in: `<TEST_ID>`, `<SUITE_ID>`. */
export function idPlaceholder(kind: TargetKind): string {
  return `<${kind.toUpperCase()}_ID>`;
}

/** A token as it is shown while it is masked: its kind, and enough of its end to tell two apart. */
export function maskedToken(token: string): string {
  return `${token.slice(0, token.indexOf('_') + 1)}••••••••${token.slice(-4)}`;
}
