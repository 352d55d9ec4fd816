import type { Attempt, Call } from '#test/chaos/load/load.js';
import type { Evidence, Violation } from '#test/chaos/evidence.js';

const ANSWER_MS = 6000;
/** A listener opens and closes slightly before or after the recorded time. */
const SLACK_MS = 500;

/** Whether the server, or the link to it, was broken while the caller waited. */
export function isExcused({ server, at, ms }: Attempt, { outages }: Pick<Evidence, 'outages'>): boolean {
  return outages.some(
    ({ name, from, to = Infinity }) => name === server && from - SLACK_MS < at + ms && at < to + SLACK_MS,
  );
}

/**
 * Every caller got its 200 in the end; each response was 200 or 503 (408 if the link was broken), within 6 s; no
 * connection was lost without a reason.
 */
export function validateResponses(evidence: Evidence): Violation[] {
  const ofAttempt = (call: Call) => (attempt: Attempt) => {
    const { server, at, ms, status, error } = attempt;
    const when = `${call.name} at ${server}, ${new Date(at).toISOString()}, after ${Math.round(ms)} ms`;
    const excused = isExcused(attempt, evidence);
    // 408: the request itself was delayed on its way.
    const allowed = excused ? [200, 503, 408] : [200, 503];
    if (status !== undefined && !allowed.includes(status))
      return [{ rule: 'an answer is 200 or 503', detail: `${status}: ${when}` }];
    if (excused) return [];
    if (error !== undefined) return [{ rule: 'a server that runs answers', detail: `${error}: ${when}` }];
    return ms > ANSWER_MS ? [{ rule: 'an answer comes within 6 s', detail: when }] : [];
  };

  return evidence.calls.flatMap((call) => [
    ...call.attempts.flatMap(ofAttempt(call)),
    ...(call.attempts.some(({ status }) => status === 200)
      ? []
      : [
          {
            rule: 'every caller gets a 200 in the end',
            detail: `${call.name}: ${call.attempts.map(({ status, error }) => status ?? error).join(', ')}`,
          },
        ]),
  ]);
}

/** One id per key, and never the same id for two calls. */
export function checkIds({ calls }: Evidence): Violation[] {
  const owners = new Map<string, Call>();
  return calls.flatMap((call) => {
    const ids = [...new Set(call.attempts.flatMap(({ id }) => id ?? []))];
    const violations: Violation[] = [];
    if (ids.length > 1)
      violations.push({ rule: 'one id a key', detail: `${call.name}, key ${call.key}: ${ids.join()}` });
    for (const id of ids) {
      if (owners.has(id))
        violations.push({ rule: 'one run a call', detail: `${call.name} got another's id`, runId: id });
      owners.set(id, call);
    }
    return violations;
  });
}
