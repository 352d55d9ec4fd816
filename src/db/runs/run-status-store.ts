import type { Collection, Document, Filter } from 'mongodb';
import { TERMINAL_STATUSES, type RunStatus, type StatusCounts } from '#src/domain/runs/run-status.js';
import type {
  AttemptRecord,
  AttemptTask,
  AttemptVerdict,
  Run,
  RunEnd,
  SuiteRun,
  TestRun,
} from '#src/domain/runs/run.js';

/*
 * Every write of a status is one guarded findOneAndUpdate: only forward (`seq`), never past the end (`status`), and
 * `modified` always grows. Delivered again it changes nothing.
 */

const DELIVERIES = 10;
const ATTEMPTS = 1_000_000;
const SKIP_BATCH = 1000;

/** Sequence of the two writes of one delivery of one attempt: a later delivery outranks every write of an earlier. */
function seqOf({ attempt, delivery }: Delivery, phase: 'begin' | 'end'): number {
  return attempt * ATTEMPTS + delivery * DELIVERIES + (phase === 'begin' ? 1 : 2);
}

/** Of a write that ends the run from outside an attempt: outranks all. */
const END_SEQ = Number.MAX_SAFE_INTEGER;

/** One execution of one attempt by one worker. */
export interface Delivery {
  /** From 1. */
  attempt: number;
  /** From 1. */
  delivery: number;
}

/** What a worker asks to begin. */
export interface AttemptToBegin {
  /** From 1. */
  attempt: number;
  /** The task of Temporal's that asks for it; absent, each call counts as a task of its own. */
  task?: AttemptTask;
}

const NOW = '$$NOW';
const literal = (value: unknown) => ({ $literal: value });
/** `modified` after a write: it always grows, whatever the clocks say. */
export const GROWN_MODIFIED = { $max: [NOW, { $add: ['$modified', 1] }] };

/**
 * @param onlyIf what else must hold of the run
 * @returns the run after the write; null when the write came too late (or was made before)
 */
function write(
  runs: Collection<Run>,
  id: string,
  seq: number,
  set: Document,
  onlyIf: Filter<Run> = {},
): Promise<Run | null> {
  const filter = { ...onlyIf, _id: id, ...guard(seq) };
  return runs.findOneAndUpdate(filter, change(literal(seq), set), { returnDocument: 'after' });
}

function guard(seq: number): Filter<Run> {
  return { seq: { $lt: seq }, status: { $nin: [...TERMINAL_STATUSES] } };
}

/** @param seq an expression */
function change(seq: Document, set: Document): Document[] {
  return [
    { $set: { ...set, seq, modified: GROWN_MODIFIED } },
    { $unset: ['dispatch', ...('reason' in set ? [] : ['reason'])] },
  ];
}

/**
 * Ends all of a suite's test runs that wait for their turn as `skipped`, except those named, in guarded writes of up to
 * 1,000: there may be 10,000.
 * @param onBatch called after each
 * @returns how many
 */
export async function skipWaiting(
  runs: Collection<Run>,
  suiteRunId: string,
  except: readonly string[],
  onBatch: () => void = () => {},
): Promise<number> {
  for (let skipped = 0; ;) {
    const waiting = await runs
      .find(
        { suiteRunId, status: 'queued', startedAt: { $exists: false }, _id: { $nin: [...except] } },
        { projection: { _id: 1 }, hint: 'suite_tests' },
      )
      .limit(SKIP_BATCH)
      .toArray();
    if (waiting.length === 0) return skipped;
    const { modifiedCount } = await runs.updateMany(
      { _id: { $in: waiting.map(({ _id }) => _id) }, ...guard(END_SEQ), startedAt: { $exists: false } },
      change(literal(END_SEQ), { status: literal('skipped'), endedAt: NOW }),
    );
    skipped += modifiedCount;
    onBatch();
  }
}

/**
 * Ends those of `ids` that wait for the start of their workflow and have never begun, in one guarded write.
 * @param onlyIf what else must hold at the moment of the write
 * @returns how many
 */
export async function endPending(
  runs: Collection<Run>,
  ids: readonly string[],
  end: RunEnd,
  onlyIf: Filter<Run>,
): Promise<number> {
  const { modifiedCount } = await runs.updateMany(
    { $and: [onlyIf, { _id: { $in: [...ids] }, seq: { $lt: END_SEQ } }, PENDING] },
    change(literal(END_SEQ), { status: literal(end.status), endedAt: NOW, ...errorFields(end) }),
  );
  return modifiedCount;
}

/** A run whose workflow has not been started, as far as the database knows. */
const PENDING: Filter<Run> = {
  status: 'queued',
  startedAt: { $exists: false },
  'dispatch.after': { $exists: true },
};

/** Ends those of these runs that are not over, all in the same way, in one guarded write. None of them has begun. */
export async function endAll(runs: Collection<Run>, runIds: readonly string[], end: RunEnd): Promise<void> {
  await runs.updateMany(
    { _id: { $in: [...runIds] }, ...guard(END_SEQ) },
    change(literal(END_SEQ), { status: literal(end.status), endedAt: NOW, ...errorFields(end) }),
  );
}

/** The entry of an attempt, or nothing. */
const entryOf = (number: number): Document => ({
  $first: { $filter: { input: '$attempts', cond: { $eq: ['$$this.number', number] } } },
});

/** The list of attempts with this one's entry changed; `unlessThere` is what an entry that is missing has besides. */
function withAttempt(number: number, fields: Document, unlessThere: Document = {}): Document {
  const others = { $filter: { input: '$attempts', cond: { $ne: ['$$this.number', number] } } };
  return { $concatArrays: [others, [{ $mergeObjects: [unlessThere, entryOf(number), fields] }]] };
}

/** What became of a guarded write. */
export type WriteOutcome<T> =
  /** It is in force, by this call or by an earlier delivery of it. */
  | { done: true; run: T }
  /** The run is over, or a later delivery has taken it. */
  | { done: false; run: T }
  | { done: false; run: null };

/** Of a begin: the number that the delivery was given too. */
export type BeginOutcome = { done: true; run: TestRun; delivery: Delivery } | { done: false; run: TestRun | null };

async function outcome(runs: Collection<Run>, id: string, seq: number, after: Run | null) {
  if (after) return { done: true, run: after } as const;
  const run = await runs.findOne({ _id: id });
  return run?.seq === seq ? ({ done: true, run } as const) : ({ done: false, run } as const);
}

/** The guarded writes of a run's status. */
export interface RunStatusStore {
  /**
   * A worker begins an attempt: `running`. The delivery is numbered here, so that no number is given out twice; a call
   * that is repeated for the same task answers the same number. Not done when the attempt has its verdict, or when a
   * later task of the same workflow has begun it.
   */
  beginAttempt(id: string, what: AttemptToBegin, worker: string): Promise<BeginOutcome>;
  /**
   * A worker ends an attempt with a verdict.
   * @param again another attempt follows: the run is `auto_retrying` instead of over
   */
  endAttempt(id: string, delivery: Delivery, verdict: AttemptVerdict, again: boolean): Promise<WriteOutcome<TestRun>>;
  /** Ends a run that is not over; an attempt under way ends with it. @returns the status in force: an earlier end stays */
  endRun(id: string, end: RunEnd): Promise<{ status: RunStatus; endedNow: boolean }>;
  /** Ends a run that has not begun as `stopped`. @returns false when it has begun, or is over */
  stopUnbegun(id: string): Promise<boolean>;
  /** A suite run begins: its test runs are there. */
  beginSuite(id: string): Promise<WriteOutcome<SuiteRun>>;
  /** Ends a suite run with its final counts. @returns as endRun */
  endSuite(id: string, end: RunEnd & { counts: StatusCounts }): Promise<{ status: RunStatus; endedNow: boolean }>;
}

export function createRunStatusStore(runs: Collection<Run>): RunStatusStore {
  return {
    async beginAttempt(id, { attempt, task }, worker) {
      const number = {
        $add: [{ $let: { vars: { mine: entryOf(attempt) }, in: { $ifNull: ['$$mine.delivery', 0] } } }, 1],
      };
      const seq = { $add: [seqOf({ attempt, delivery: 0 }, 'begin'), { $multiply: [number, DELIVERIES] }] };
      const entry = {
        number: literal(attempt),
        delivery: number,
        worker: literal(worker),
        startedAt: NOW,
        ...(task ? { task: literal(task) } : {}),
      };
      const after = await runs.findOneAndUpdate(
        {
          _id: id,
          ...guard(seqOf({ attempt: attempt + 1, delivery: 0 }, 'begin')),
          attempts: { $not: { $elemMatch: { number: attempt, $or: notBefore(task) } } },
        },
        change(seq, {
          status: literal('running'),
          attempt: literal(attempt),
          startedAt: { $ifNull: ['$startedAt', NOW] },
          attempts: withAttempt(attempt, entry),
        }),
        { returnDocument: 'after' },
      );
      const run = (after ?? (await runs.findOne({ _id: id }))) as TestRun | null;
      const begun = run?.attempts.find((one) => one.number === attempt);
      if (!run || !begun) return { done: false, run };
      const delivery = { attempt, delivery: begun.delivery };
      const isMine = after !== null || (isSame(begun.task, task) && run.seq === seqOf(delivery, 'begin'));
      return isMine ? { done: true, run, delivery } : { done: false, run };
    },

    async endAttempt(id, delivery, verdict, again) {
      const seq = seqOf(delivery, 'end');
      const status: RunStatus = again ? 'auto_retrying' : verdict.status;
      const after = await write(runs, id, seq, {
        status: literal(status),
        attempts: withAttempt(
          delivery.attempt,
          { endedAt: NOW, verdict: literal(verdict) },
          // The database was restored from a copy that is older than the begin of this attempt.
          {
            number: literal(delivery.attempt),
            delivery: literal(delivery.delivery),
            worker: 'unknown',
            startedAt: NOW,
          },
        ),
        attempt: { $max: ['$attempt', delivery.attempt] },
        startedAt: { $ifNull: ['$startedAt', NOW] },
        ...(again ? {} : { endedAt: NOW, ...errorFields(verdict) }),
      });
      return (await outcome(runs, id, seq, after)) as WriteOutcome<TestRun>;
    },

    async endRun(id, end) {
      const after = await write(runs, id, END_SEQ, {
        status: literal(end.status),
        endedAt: NOW,
        ...errorFields(end),
        attempts: {
          $cond: [
            { $isArray: '$attempts' },
            {
              $map: {
                input: '$attempts',
                in: {
                  $cond: [
                    { $eq: [{ $type: '$$this.endedAt' }, 'missing'] },
                    { $mergeObjects: ['$$this', { endedAt: NOW, verdict: literal(end) }] },
                    '$$this',
                  ],
                },
              },
            },
            '$$REMOVE',
          ],
        },
      });
      return inForce(runs, id, end.status, after);
    },

    async stopUnbegun(id) {
      const stopped = { status: literal('stopped'), endedAt: NOW };
      return (await write(runs, id, END_SEQ, stopped, { startedAt: { $exists: false } })) !== null;
    },

    async beginSuite(id) {
      const after = await write(runs, id, 1, {
        status: literal('running'),
        startedAt: { $ifNull: ['$startedAt', NOW] },
      });
      return (await outcome(runs, id, 1, after)) as WriteOutcome<SuiteRun>;
    },

    async endSuite(id, end) {
      const after = await write(runs, id, END_SEQ, {
        status: literal(end.status),
        counts: literal(end.counts),
        endedAt: NOW,
        ...errorFields(end),
      });
      return inForce(runs, id, end.status, after);
    },
  };
}

/** What the entry of an attempt has that may not be begun by this task: a verdict, or another task that is no earlier. */
function notBefore(task: AttemptTask | undefined): Filter<AttemptRecord>[] {
  // Delivered again after its verdict was written (the worker died before it could say so): it is not run again.
  const hasVerdict = { verdict: { $exists: true } };
  if (!task) return [hasVerdict];
  return [hasVerdict, { 'task.workflow': task.workflow, 'task.order': { $gte: task.order } }];
}

const isSame = (one: AttemptTask | undefined, other: AttemptTask | undefined): boolean =>
  one !== undefined && one.workflow === other?.workflow && one.order === other.order;

async function inForce(runs: Collection<Run>, id: string, wanted: RunStatus, after: Run | null) {
  if (after) return { status: wanted, endedNow: true };
  const run = await runs.findOne({ _id: id }, { projection: { status: 1 } });
  return { status: run?.status ?? wanted, endedNow: false };
}

function errorFields({ errorCode, errorMessage, reason }: Omit<RunEnd, 'status'>): Document {
  return {
    ...(reason ? { reason: literal(reason) } : {}),
    ...(errorCode ? { errorCode: literal(errorCode) } : {}),
    ...(errorMessage ? { errorMessage: literal(errorMessage) } : {}),
  };
}
