import type { Collection, Document, Filter } from 'mongodb';
import { TERMINAL_STATUSES, type RunStatus, type StatusCounts } from '#src/domain/runs/run-status.js';
import { idsOf } from '#src/db/query/ids-of.js';
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
 * Every status change is one guarded findOneAndUpdate: `seq` only increases, a terminal status never changes, and
 * `modified` always increases. A repeated write has no effect.
 */

const DELIVERIES = 10;
const ATTEMPTS = 1_000_000;
const SKIP_BATCH = 1000;

/** Sequence number of the writes of a delivery: those of a later delivery are higher than all of an earlier one. */
function seqOf({ attempt, delivery }: Delivery, phase: 'begin' | 'end'): number {
  return attempt * ATTEMPTS + delivery * DELIVERIES + (phase === 'begin' ? 1 : 2);
}

/** For writes that end the run from outside an attempt: higher than all others. */
const END_SEQ = Number.MAX_SAFE_INTEGER;

/** One execution of one attempt by one worker. */
export interface Delivery {
  /** From 1. */
  attempt: number;
  /** From 1. */
  delivery: number;
}

export interface AttemptToBegin {
  /** From 1. */
  attempt: number;
  /** The Temporal task that begins the attempt; if absent, each call counts as a separate task. */
  task?: AttemptTask;
}

const NOW = '$$NOW';
const literal = (value: unknown) => ({ $literal: value });
/** `modified` after a write: increases even if the database's clock was set back. */
export const GROWN_MODIFIED = { $max: [NOW, { $add: ['$modified', 1] }] };

/**
 * @param onlyIf further conditions
 * @returns the run after the write; null when the write came too late or was repeated
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
 * Ends a suite's queued test runs as `skipped`, in guarded writes of up to 1,000.
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
    const waiting = await idsOf(
      runs,
      { suiteRunId, status: 'queued', startedAt: { $exists: false }, _id: { $nin: [...except] } },
      { hint: 'suite_tests', limit: SKIP_BATCH },
    );
    if (waiting.length === 0) return skipped;
    const { modifiedCount } = await runs.updateMany(
      { _id: { $in: waiting }, ...guard(END_SEQ), startedAt: { $exists: false } },
      change(literal(END_SEQ), { status: literal('skipped'), endedAt: NOW }),
    );
    skipped += modifiedCount;
    onBatch();
  }
}

/**
 * Ends the pending runs among `ids`, in one guarded write.
 * @param onlyIf further conditions, checked by the write
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

/** A run whose workflow is not recorded as started. */
const PENDING: Filter<Run> = { status: 'queued', startedAt: { $exists: false }, 'dispatch.after': { $exists: true } };

/** Ends the open runs among `runIds`, which have not started, in one guarded write. */
export async function endAll(runs: Collection<Run>, runIds: readonly string[], end: RunEnd): Promise<void> {
  await runs.updateMany(
    { _id: { $in: [...runIds] }, ...guard(END_SEQ) },
    change(literal(END_SEQ), { status: literal(end.status), endedAt: NOW, ...errorFields(end) }),
  );
}

const entryOf = (number: number): Document => ({
  $first: { $filter: { input: '$attempts', cond: { $eq: ['$$this.number', number] } } },
});

/** The list of attempts with the fields of one entry changed. @param defaults further fields of a missing entry */
function withAttempt(number: number, fields: Document, defaults: Document = {}): Document {
  const others = { $filter: { input: '$attempts', cond: { $ne: ['$$this.number', number] } } };
  return { $concatArrays: [others, [{ $mergeObjects: [defaults, entryOf(number), fields] }]] };
}

/** The result of a guarded write. */
export type WriteOutcome<T> =
  /** Written by this call or an earlier delivery of it. */
  | { done: true; run: T }
  /** The run has ended, or a later delivery has begun. */
  | { done: false; run: T }
  | { done: false; run: null };

export type BeginOutcome = { done: true; run: TestRun; delivery: Delivery } | { done: false; run: TestRun | null };

async function outcome(runs: Collection<Run>, id: string, seq: number, after: Run | null) {
  if (after) return { done: true, run: after } as const;
  const run = await runs.findOne({ _id: id });
  return run?.seq === seq ? ({ done: true, run } as const) : ({ done: false, run } as const);
}

export type RunStatusStore = ReturnType<typeof createRunStatusStore>;

/** The guarded writes of a run's status. */
export function createRunStatusStore(runs: Collection<Run>) {
  return {
    /**
     * Begins an attempt (status `running`) and assigns a unique delivery number; a repeated call for the same task
     * returns the same number. Not done when the attempt has a verdict, or when a later task of the same workflow has
     * begun it.
     */
    async beginAttempt(id: string, { attempt, task }: AttemptToBegin, worker: string): Promise<BeginOutcome> {
      const number = {
        $add: [{ $let: { vars: { mine: entryOf(attempt) }, in: { $ifNull: ['$$mine.delivery', 0] } } }, 1],
      };
      const seq = { $add: [seqOf({ attempt, delivery: 0 }, 'begin'), { $multiply: [number, DELIVERIES] }] };
      const entry = {
        number: literal(attempt),
        delivery: number,
        worker: literal(worker),
        startedAt: NOW,
        task: task && literal(task),
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

    /**
     * Ends an attempt with a verdict.
     * @param again another attempt follows: the run becomes `auto_retrying` instead of ending
     */
    async endAttempt(id: string, delivery: Delivery, verdict: AttemptVerdict, again: boolean) {
      const seq = seqOf(delivery, 'end');
      const status: RunStatus = again ? 'auto_retrying' : verdict.status;
      const after = await write(runs, id, seq, {
        status: literal(status),
        attempts: withAttempt(
          delivery.attempt,
          { endedAt: NOW, verdict: literal(verdict) },
          // The entry is missing if the database was restored from a backup older than the attempt.
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

    /** Ends an open run and its attempt in progress. @returns the current status: an earlier end stays */
    async endRun(id: string, end: RunEnd) {
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
      return currentStatus(runs, id, end.status, after);
    },

    /** Ends a run as `stopped` if it has not started. @returns false when it has started or ended */
    async stopUnbegun(id: string) {
      const stopped = { status: literal('stopped'), endedAt: NOW };
      return (await write(runs, id, END_SEQ, stopped, { startedAt: { $exists: false } })) !== null;
    },

    /** Begins a suite run whose test runs have been inserted. */
    async beginSuite(id: string) {
      const after = await write(runs, id, 1, {
        status: literal('running'),
        startedAt: { $ifNull: ['$startedAt', NOW] },
      });
      return (await outcome(runs, id, 1, after)) as WriteOutcome<SuiteRun>;
    },

    /** Ends a suite run with its final counts. @returns like endRun */
    async endSuite(id: string, end: RunEnd & { counts: StatusCounts }) {
      const after = await write(runs, id, END_SEQ, {
        status: literal(end.status),
        counts: literal(end.counts),
        endedAt: NOW,
        ...errorFields(end),
      });
      return currentStatus(runs, id, end.status, after);
    },
  };
}

/** Matches the entry of an attempt that this task must not begin: it has a verdict, or a task that is not earlier. */
function notBefore(task: AttemptTask | undefined): Filter<AttemptRecord>[] {
  // Redelivered after its verdict was written, because the worker died before it could complete the activity.
  const hasVerdict = { verdict: { $exists: true } };
  if (!task) return [hasVerdict];
  return [hasVerdict, { 'task.workflow': task.workflow, 'task.order': { $gte: task.order } }];
}

const isSame = (one: AttemptTask | undefined, other: AttemptTask | undefined): boolean =>
  one !== undefined && one.workflow === other?.workflow && one.order === other.order;

async function currentStatus(runs: Collection<Run>, id: string, requested: RunStatus, after: Run | null) {
  if (after) return { status: requested, endedNow: true };
  const run = await runs.findOne({ _id: id }, { projection: { status: 1 } });
  return { status: run?.status ?? requested, endedNow: false };
}

function errorFields({ errorCode, errorMessage, reason }: Omit<RunEnd, 'status'>): Document {
  return {
    ...(reason ? { reason: literal(reason) } : {}),
    ...(errorCode ? { errorCode: literal(errorCode) } : {}),
    ...(errorMessage ? { errorMessage: literal(errorMessage) } : {}),
  };
}
