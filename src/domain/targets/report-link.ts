import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * A capability to read the files of one attempt of a run for some time: what a report's page asks for without a session. It
 * is `<run>.<attempt>.<end>.<HMAC>`; nothing is stored of it, and every server knows it again.
 */

/** Whose files it opens. */
export interface ReportSource {
  runId: string;
  attempt: number;
}

const FORM = /^([0-9a-f-]{36})\.(\d{1,9})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * @param keys of the service, newest first
 * @param until when it ends, in ms since 1970
 */
export function makeReportLink(keys: readonly Buffer[], { runId, attempt }: ReportSource, until: number): string {
  const said = `${runId}.${attempt}.${Math.floor(until / 1000)}`;
  return `${said}.${signature(keys[0]!, said).toString('base64url')}`;
}

/** @returns undefined when it was not made with one of the keys, or has ended */
export function readReportLink(keys: readonly Buffer[], link: string, now: number): ReportSource | undefined {
  const [, runId, attempt, until, signed] = FORM.exec(link) ?? [];
  if (!runId || !attempt || !until || !signed || Number(until) * 1000 <= now) return undefined;
  const given = Buffer.from(signed, 'base64url');
  const isOurs = keys.some((key) => timingSafeEqual(signature(key, `${runId}.${attempt}.${until}`), given));
  return isOurs ? { runId, attempt: Number(attempt) } : undefined;
}

/** Of a key made from the service's own: what is shown here says nothing about secrets at rest. */
function signature(key: Buffer, said: string): Buffer {
  const ownKey = createHmac('sha256', key).update('runhook report links').digest();
  return createHmac('sha256', ownKey).update(said).digest();
}
