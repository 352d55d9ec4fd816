import type { PendingRun, PendingStarts } from '../db/pending-starts.js';
import type { Logger } from '../logger.js';
import { createFairQueue } from './fair-queue.js';

/** How long a run belongs to the server that took it; after that any server's sweep may claim it. */
export const LEASE_MS = 10_000;
const SWEEP_MS = 1000;
const COUNT_EVERY_SWEEPS = 5;
/** Bound of the queue in memory; what does not fit waits in the database for a sweep. */
const QUEUE_MAX = 1000;
const QUEUE_LOW = 100;
/** In a queue that is full of others' runs a project may still have so many, within twice the bound in all. */
const PROJECT_SHARE = 10;
const LONGEST_BACKOFF_MS = 60_000;
const STOP_DEADLINE_MS = 6000;

export interface DispatcherDeps {
  pending: PendingStarts;
  /** Starts the workflow; idempotent. */
  start(run: PendingRun): Promise<void>;
  /** Whether a failed start is Temporal's trouble (try all again later) or this run's own. */
  isEngineTrouble(error: unknown): boolean;
  log: Logger;
  /** Starts under way at the same time at most. */
  inFlight: number;
  /** Runs waiting for their start, in all, above which no more are accepted. */
  maxPending: number;
  /** How long a run may wait for its start, in ms. */
  startDeadlineMs: number;
  onStarted?(run: PendingRun): void;
  /** Temporal refused a start for a reason of its own: it may lack its set-up. */
  onRefused?(): void;
}

export interface Dispatcher {
  /** The first moment at which a sweep may claim a run that is accepted now. */
  firstSweepAt(now: Date, projectId: string): Date;
  /** Starts a committed run as soon as it is its project's turn. */
  enqueue(run: PendingRun): void;
  /** Too many runs wait for their start: no more should be accepted. */
  isFull(): boolean;
  /** Since when Temporal has refused starts; undefined while it takes them. */
  engineDownSince(): Date | undefined;
  /** Ends what is under way and hands the rest to the other servers' sweeps. */
  stop(): Promise<void>;
}

/**
 * A transactional outbox whose outbox is the run record: starts the workflow of every committed run, at once from a
 * queue in memory, and by a sweep for whatever is left (a crash, Temporal down, a queue that was full).
 */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { pending, log } = deps;
  const queue = createFairQueue<PendingRun>();
  /** In the queue or under way here: a sweep must not take them a second time. */
  const held = new Set<string>();
  const underWay = new Set<Promise<void>>();
  const notes = new Set<Promise<void>>();
  let downSince: Date | undefined;
  let pendingCount = 0;
  let sweeping: Promise<void> | undefined;
  let sweeps = 0;
  let moreDue = false;
  let pumpScheduled = false;
  let stopping = false;

  /** One project's flood leaves room for the others' runs. */
  const hasRoom = (projectId: string) =>
    queue.size < QUEUE_MAX || (queue.sizeOf(projectId) < PROJECT_SHARE && queue.size < 2 * QUEUE_MAX);

  const limit = () => (downSince ? 1 : deps.inFlight);

  function hold(run: PendingRun): void {
    if (held.has(run._id)) return;
    held.add(run._id);
    queue.push(run.projectId, run);
    schedulePump();
  }

  /** Behind the answers that are ready to leave. */
  function schedulePump(): void {
    if (pumpScheduled) return;
    pumpScheduled = true;
    setImmediate(() => {
      pumpScheduled = false;
      pump();
    });
  }

  function pump(): void {
    while (!stopping && underWay.size < limit()) {
      const run = queue.shift();
      if (!run) break;
      const start = startOne(run).finally(() => {
        underWay.delete(start);
        held.delete(run._id);
        pump();
      });
      underWay.add(start);
    }
    if (moreDue && queue.size < QUEUE_LOW) void sweep();
  }

  async function startOne(run: PendingRun): Promise<void> {
    try {
      await deps.start(run);
      engineIsUp();
      deps.onStarted?.(run);
      pendingCount = Math.max(0, pendingCount - 1);
    } catch (error) {
      await startFailed(run, error);
      return;
    }
    noteStart(run._id);
  }

  /** Behind the next starts. What is not noted is started once more by the sweep, which changes nothing. */
  function noteStart(runId: string): void {
    const note = pending
      .clear(runId)
      .catch((error: unknown) => log.warn({ err: error }, 'a start could not be noted'))
      .finally(() => notes.delete(note));
    notes.add(note);
  }

  async function startFailed(run: PendingRun, error: unknown): Promise<void> {
    const engine = deps.isEngineTrouble(error);
    const tried = run.dispatch?.attempts ?? 0;
    const backoffMs = engine ? 0 : Math.min(1000 * 2 ** tried, LONGEST_BACKOFF_MS);
    if (engine) await engineIsDown(error);
    else {
      log.error({ err: error, runId: run._id }, 'Temporal refused to start a run; trying again later');
      deps.onRefused?.();
    }
    await pending
      .release([run._id], new Date(Date.now() + backoffMs), true)
      .catch((failure: unknown) => log.warn({ err: failure }, 'a failed start could not be noted'));
  }

  async function engineIsDown(error: unknown): Promise<void> {
    if (downSince) return;
    downSince = new Date();
    log.warn({ err: error }, 'Temporal takes no starts; runs wait and are started when it is back');
    await handOver();
  }

  function engineIsUp(): void {
    if (!downSince) return;
    log.info({ downMs: Date.now() - downSince.getTime() }, 'Temporal takes starts again');
    downSince = undefined;
    void sweep();
  }

  /** Gives the queue's runs back to the sweeps, this server's own included. */
  async function handOver(): Promise<void> {
    const ids = queue.drain().map((run) => run._id);
    for (const id of ids) held.delete(id);
    await pending
      .release(ids, new Date(), false)
      .catch((error: unknown) => log.warn({ err: error }, 'pending starts could not be handed over; their lease ends'));
  }

  function sweep(): Promise<void> {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  }

  async function sweepOnce(): Promise<void> {
    const room = downSince ? 1 - underWay.size : QUEUE_MAX - queue.size;
    // A claim costs the more the longer the backlog is: not worth it for a few.
    if (room <= 0 || queue.size > QUEUE_MAX / 2 || stopping) return;
    moreDue = false;
    try {
      const runs = await pending.claim(room, LEASE_MS);
      for (const run of runs) hold(run);
      moreDue = runs.length === room && !downSince;
      if (sweeps++ % COUNT_EVERY_SWEEPS === 0) {
        await pending.giveUp(new Date(Date.now() - deps.startDeadlineMs));
        pendingCount = (await pending.count()).pending;
      }
    } catch (error) {
      log.warn({ err: error }, 'the sweep for pending starts failed; trying again in a second');
    }
  }

  async function endAll(): Promise<void> {
    // It may still bring runs, which are handed over too.
    await sweeping;
    await Promise.all([handOver(), ...underWay]);
    await Promise.all(notes);
  }

  const timer = setInterval(() => void sweep(), SWEEP_MS);

  return {
    firstSweepAt: (now, projectId) => (downSince || !hasRoom(projectId) ? now : new Date(now.getTime() + LEASE_MS)),
    enqueue(run) {
      pendingCount++;
      if (!downSince && !stopping && hasRoom(run.projectId)) hold(run);
    },
    isFull: () => pendingCount >= deps.maxPending,
    engineDownSince: () => downSince,
    async stop() {
      stopping = true;
      clearInterval(timer);
      let late: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>((resolve) => (late = setTimeout(resolve, STOP_DEADLINE_MS)));
      await Promise.race([endAll(), deadline]);
      clearTimeout(late);
    },
  };
}
