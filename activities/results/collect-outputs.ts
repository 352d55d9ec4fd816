import type { Delivery } from '#src/db/runs/run-status-store.js';
import type { AttemptVerdict, TestRun } from '#src/domain/runs/run.js';
import type { TestCase } from '#src/domain/runs/test-case.js';
import { keepTrying } from '#activities/keep-trying.js';
import type { Attempt } from '#activities/runners/runner.js';
import { collectArtifacts } from './collect-artifacts.js';
import { readJunit, type Results } from './read-junit.js';
import { withResults } from './with-results.js';

/** For reading the files, in ms. */
const READ_MS = 30_000;
const BATCH = 500;
/** Timeout of one write in ms: a stop must not wait for long. */
const WRITE_MS = 5000;
/** How long test cases may wait for the database, in ms. The verdict waits with them and is not stored until then. */
const OUTAGE_MS = 5 * 60_000;
const NOT_SAVED =
  'The test cases were not saved because the database was unavailable. They are included in the verdict.';

/**
 * Saves what an attempt has written to its folder when its runner is done: test cases and artifacts.
 * @param begunAt when the runner started, in ms since 1970; older files are ignored
 * @returns the verdict with counts and notes of the results; `failed` for exit code 0 with failed cases; `stopped` when
 *   the attempt's signal was aborted meanwhile
 */
export type CollectOutputs = (
  run: TestRun,
  delivery: Delivery,
  attempt: Attempt,
  verdict: AttemptVerdict,
  begunAt: number,
) => Promise<AttemptVerdict>;

export interface OutputCollectorDeps {
  cases: {
    /** Idempotent, because the same cases may be inserted again after a failure. */
    insert(cases: readonly TestCase[]): Promise<void>;
  };
}

export function createOutputCollector({ cases: store }: OutputCollectorDeps): CollectOutputs {
  /** @returns false if the database was unavailable */
  async function save({ cases }: Results, run: TestRun, delivery: Delivery, signal: AbortSignal): Promise<boolean> {
    for (let from = 0; from < cases.length; from += BATCH) {
      const batch = cases
        .slice(from, from + BATCH)
        .map((found, index) => recordOf(found, run._id, delivery, from + index + 1));
      try {
        await keepTrying(() => store.insert(batch), signal, { tryMs: WRITE_MS, giveUpMs: OUTAGE_MS });
      } catch (error) {
        if (signal.aborted) throw error;
        return false;
      }
    }
    return true;
  }

  /** @returns the verdict with its results */
  const withResultsOf: CollectOutputs = async (run, delivery, attempt, verdict, begunAt) => {
    const { definition } = run;
    const glob = definition.runner === 'command' ? definition.results?.junit : undefined;
    if (verdict.status === 'stopped' || glob === undefined) return verdict;
    try {
      const results = await readWithin(READ_MS, glob, attempt, begunAt);
      if ('note' in results) return { ...verdict, notes: [...(verdict.notes ?? []), results.note] };
      const withCases = withResults(verdict, results);
      const areSaved = await save(results, run, delivery, attempt.signal);
      return areSaved ? withCases : { ...withCases, notes: [...(withCases.notes ?? []), NOT_SAVED] };
    } catch (error) {
      // The results are incomplete, so the verdict would be a guess.
      if (attempt.signal.aborted) return { status: 'stopped' };
      throw error;
    }
  };

  return async (run, delivery, attempt, verdict, begunAt) => {
    const ended = await withResultsOf(run, delivery, attempt, verdict, begunAt);
    const { artifacts: globs } = run.definition;
    if (ended.status === 'stopped' || !globs?.length) return ended;
    const { artifacts, signal, log } = attempt;
    const notes = await collectArtifacts(globs, attempt, artifacts, { signal, log, since: begunAt });
    return notes.length > 0 ? { ...ended, notes: [...(ended.notes ?? []), ...notes] } : ended;
  };
}

async function readWithin(
  ms: number,
  glob: string,
  attempt: Attempt,
  since: number,
): Promise<Results | { note: string }> {
  const deadline = AbortSignal.timeout(ms);
  const { folder, closedFolders = [], mask } = attempt;
  try {
    return await readJunit(glob, {
      folder,
      closedFolders,
      since,
      mask,
      signal: AbortSignal.any([attempt.signal, deadline]),
    });
  } catch (error) {
    if (attempt.signal.aborted || !deadline.aborted) throw error;
    return {
      note: `The results were not read: reading took longer than ${ms / 1000} s. Write fewer files, or use a narrower glob than ${glob}.`,
    };
  }
}

function recordOf(
  found: Results['cases'][number],
  runId: string,
  { attempt, delivery }: Delivery,
  number: number,
): TestCase {
  return { _id: `${runId}:${attempt}:${delivery}:${number}`, runId, attempt, delivery, number, ...found };
}
