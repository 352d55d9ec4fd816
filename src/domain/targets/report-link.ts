import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * A temporary capability to read the files of one attempt of a run, for report pages, which have no session. Format:
 * `<run>.<attempt>.<expiry>.<HMAC>`. It is not stored; every server can verify it.
 */

/** The attempt whose files it allows to read. */
export interface ReportSource {
  runId: string;
  attempt: number;
}

const FORM = /^([0-9a-f-]{36})\.(\d{1,9})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * @param keys of the service, newest first
 * @param until expiry, in Unix ms
 */
export function makeReportLink(keys: readonly Buffer[], { runId, attempt }: ReportSource, until: number): string {
  const content = `${runId}.${attempt}.${Math.floor(until / 1000)}`;
  return `${content}.${signature(keys[0]!, content).toString('base64url')}`;
}

/** @returns undefined when it has expired or was not signed with one of the keys */
export function readReportLink(keys: readonly Buffer[], link: string, now: number): ReportSource | undefined {
  const [, runId, attempt, until, signed] = FORM.exec(link) ?? [];
  if (!runId || !attempt || !until || !signed || Number(until) * 1000 <= now) return undefined;
  const given = Buffer.from(signed, 'base64url');
  const isValid = keys.some((key) => timingSafeEqual(signature(key, `${runId}.${attempt}.${until}`), given));
  return isValid ? { runId, attempt: Number(attempt) } : undefined;
}

/** Uses a derived key, so that links reveal nothing about the keys that encrypt secrets. */
function signature(key: Buffer, content: string): Buffer {
  const ownKey = createHmac('sha256', key).update('runhook report links').digest();
  return createHmac('sha256', ownKey).update(content).digest();
}
