import type { TargetKind } from '#src/domain/targets/target-kind.js';

export function webhookPath(token: string, kind: TargetKind, targetId: string): string {
  return `/webhooks/${token}/${kind}s/run/${targetId}`;
}

/** Placeholder of the id in a webhook URL template: `<TEST_ID>`, `<SUITE_ID>`. */
export function idPlaceholder(kind: TargetKind): string {
  return `<${kind.toUpperCase()}_ID>`;
}

/** The masked form of a token: its prefix and last four characters. */
export function maskedToken(token: string): string {
  return `${token.slice(0, token.indexOf('_') + 1)}••••••••${token.slice(-4)}`;
}
