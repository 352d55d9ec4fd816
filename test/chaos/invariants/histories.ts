import { isTerminal, type RunStatus } from '#src/domain/runs/run-status.js';
import type { Evidence, Violation } from '#test/chaos/evidence.js';
import type { Observation } from '#test/chaos/load/recorder.js';

/** The progress of a run, for comparison. */
const progress = (status: RunStatus) => (isTerminal(status) ? 2 : status === 'queued' ? 0 : 1);

/** As recorded: no status goes back, an end is final, and `modified` and `seq` grow with every change. */
export function checkHistories({ histories, runs }: Evidence): Violation[] {
  const last = new Map<string, Observation>(
    runs.map(({ _id, status, seq, modified }) => [_id, { at: Date.now(), status, seq, modified: modified.getTime() }]),
  );
  return [...histories].flatMap(([runId, seen]) => {
    const end = last.get(runId);
    if (!end) return seen.length > 0 ? [{ rule: 'no record vanishes', detail: show(seen), runId }] : [];
    return [...seen, end].flatMap((now, index, all) => {
      const before = all[index - 1];
      const rule = before && brokenRule(before, now);
      return rule ? [{ rule, detail: show([before, now]), runId }] : [];
    });
  });
}

function brokenRule(before: Observation, now: Observation): string | undefined {
  if (progress(now.status) < progress(before.status)) return 'no status goes back';
  if (isTerminal(before.status) && now.status !== before.status) return 'an end is final';
  if (now.modified < before.modified || now.seq < before.seq) return 'modified and seq only grow';
  const changed = now.status !== before.status || now.seq !== before.seq;
  return changed && now.modified === before.modified ? 'modified grows with every change' : undefined;
}

/** For a message: each state with its time. */
export function show(seen: Observation[]): string {
  return seen
    .map(({ at, status, seq, modified }) => {
      const [seenAt, changedAt] = [at, modified].map((ms) => new Date(ms).toISOString().slice(11, 23));
      return `${status} (seq ${seq}, modified ${changedAt}, seen ${seenAt})`;
    })
    .join(' → ');
}
