import pTimeout from 'p-timeout';
import type { PendingRun, PendingStarts } from '#src/db/runs/pending-starts.js';
import type { Logger } from '#src/lib/logger.js';
import type { EngineTrouble } from '#src/temporal/engine-trouble.js';
import { createEngineOutage } from './engine-outage.js';
import { createFairQueue } from './fair-queue.js';
import { createStartWindow } from './start-window.js';

/** How long a run is leased to the server that starts it; after that any server may claim it. */
export const LEASE_MS = 10_000;
/** Age at which the lease of a queued run is renewed. */
const RENEW_MS = LEASE_MS / 2;
const TICK_MS = 1000;
const COUNT_EVERY_TICKS = 5;
/** Bound of the queue in memory; further runs wait in the database for a sweep. */
const QUEUE_MAX = 1000;
const QUEUE_LOW = 100;
/** Runs that a project may add to a full queue, up to twice the bound in total. */
const PROJECT_SHARE = 10;
const FIRST_BACKOFF_MS = 1000;
/** For a run that Temporal rejects. */
const MAX_REFUSED_BACKOFF_MS = 60_000;
/** For a start without a response: shorter, so that the run starts soon after an outage. */
const MAX_UNANSWERED_BACKOFF_MS = 5000;
const STOP_DEADLINE_MS = 6000;

export interface DispatcherDeps {
  pending: PendingStarts;
  /** Starts the workflow; idempotent. */
  start(run: PendingRun): Promise<void>;
  /** Classifies a failed start; undefined: Temporal rejected this run. */
  engineTroubleOf(error: unknown): EngineTrouble | undefined;
  log: Logger;
  /** Most concurrent starts. */
  inFlight: number;
  /** Total number of pending runs above which no more are accepted. */
  maxPending: number;
  /** How long a run may be pending, in ms. */
  startDeadlineMs: number;
  onStarted?(run: PendingRun): void;
  /** Temporal rejected a start: its set-up may be missing. */
  onRefused?(): void;
}

/** The result of a start. */
export type StartResult = 'started' | 'refused' | EngineTrouble;

/** State of a dispatcher, for metrics. */
export interface DispatcherState {
  /** Number of starts by result, since the process started. */
  results: Record<StartResult, number>;
  inFlight: number;
  /** Most concurrent starts; lowered while Temporal is overloaded or unavailable. */
  inFlightLimit: number;
  isEngineDown: boolean;
}

export interface Dispatcher {
  /** The earliest time at which a sweep may claim a run that is accepted now. */
  firstSweepAt(now: Date, projectId: string): Date;
  /** Queues a committed run, in fair order among projects. */
  enqueue(run: PendingRun): void;
  /** Whether too many runs are pending to accept more. */
  isFull(): boolean;
  /** Since when Temporal is unavailable; undefined while it is available. */
  engineDownSince(): Date | undefined;
  state(): DispatcherState;
  /** Completes the starts in flight and leaves the rest to the sweeps of other servers. */
  stop(): Promise<void>;
}

/**
 * A transactional outbox in the run record: starts the workflow of every committed run, at once from a queue in memory,
 * or later by a sweep (after a crash, an outage of Temporal, or with a full queue).
 */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { pending, log } = deps;
  const queue = createFairQueue<PendingRun>();
  const window = createStartWindow(deps.inFlight);
  const outage = createEngineOutage();
  const results: DispatcherState['results'] = { started: 0, refused: 0, overloaded: 0, unavailable: 0 };
  /** Runs that are queued or in flight here, with the start of their lease (monotonic, ms). */
  const held = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();
  const records = new Set<Promise<void>>();
  let pendingCount = 0;
  let sweeping: Promise<void> | undefined;
  let maintaining: Promise<void> | undefined;
  let ticks = 0;
  let moreDue = false;
  let pumpScheduled = false;
  let paused: NodeJS.Timeout | undefined;
  let stopping = false;

  /** The backlog of one project leaves room for the runs of others. */
  const hasRoom = (projectId: string) =>
    queue.size < QUEUE_MAX || (queue.sizeOf(projectId) < PROJECT_SHARE && queue.size < 2 * QUEUE_MAX);

  const limit = () => (outage.since() ? 1 : Math.max(1, Math.floor(window.size() / outage.caution())));

  function hold(run: PendingRun, leasedAt: number): void {
    if (held.has(run._id)) return;
    held.set(run._id, leasedAt);
    queue.push(run.projectId, run);
    schedulePump();
  }

  /** After the responses that are ready to be sent. */
  function schedulePump(): void {
    if (pumpScheduled) return;
    pumpScheduled = true;
    setImmediate(() => {
      pumpScheduled = false;
      pump();
    });
  }

  function pump(): void {
    while (!stopping && inFlight.size < limit() && !isPaused()) {
      const run = queue.shift();
      if (!run) break;
      const start = startOne(run).finally(() => {
        inFlight.delete(start);
        pump();
      });
      inFlight.add(start);
    }
    if (moreDue && queue.size < QUEUE_LOW) void sweep();
  }

  /** Whether starts are paused after an overload; the pump then continues by a timer. */
  function isPaused(): boolean {
    const ms = window.pauseMs();
    if (ms === 0) return false;
    paused ??= setTimeout(() => {
      paused = undefined;
      pump();
    }, ms);
    return true;
  }

  async function startOne(run: PendingRun): Promise<void> {
    const beganAt = performance.now();
    try {
      await deps.start(run);
    } catch (error) {
      const trouble = deps.engineTroubleOf(error);
      results[trouble ?? 'refused']++;
      if (trouble === 'overloaded') await startOverloaded(run, beganAt, error);
      else if (trouble === 'unavailable') await startUnanswered(run, beganAt, error);
      else await startRefused(run, error);
      return;
    }
    results.started++;
    window.succeeded();
    engineAnswered();
    deps.onStarted?.(run);
    pendingCount = Math.max(0, pendingCount - 1);
    recordStart(run._id);
  }

  /** Does not delay the next starts. If it fails, a sweep repeats the start, which is idempotent. */
  function recordStart(runId: string): void {
    const record = pending
      .clear(runId)
      .catch((error: unknown) => log.warn({ err: error }, 'could not record a workflow start'))
      .finally(() => {
        records.delete(record);
        held.delete(runId);
      });
    records.add(record);
  }

  /** The run keeps its lease and returns to the queue. */
  async function startOverloaded(run: PendingRun, beganAt: number, error: unknown): Promise<void> {
    if (window.overloaded(beganAt))
      log.warn({ err: error, inFlightLimit: limit() }, 'Temporal is overloaded; reducing concurrent workflow starts');
    if (stopping || outage.since()) return release(run, 0);
    queue.push(run.projectId, run);
  }

  async function startUnanswered(run: PendingRun, beganAt: number, error: unknown): Promise<void> {
    const isOutage = outage.failed(run._id, beganAt);
    if (isOutage)
      log.warn({ err: error }, 'Temporal is unavailable; runs stay queued and are started when it is available again');
    else if (!outage.since())
      log.warn({ err: error, runId: run._id }, 'Temporal did not respond to a workflow start; retrying');
    // In an outage, each start is a probe, without backoff.
    await release(run, outage.since() ? 0 : backoffMs(run, MAX_UNANSWERED_BACKOFF_MS));
    if (isOutage) await handOver();
  }

  async function startRefused(run: PendingRun, error: unknown): Promise<void> {
    log.error({ err: error, runId: run._id }, 'Temporal rejected a workflow start; retrying later');
    deps.onRefused?.();
    await release(run, backoffMs(run, MAX_REFUSED_BACKOFF_MS));
  }

  /** Releases a run whose start failed. */
  async function release(run: PendingRun, afterMs: number): Promise<void> {
    held.delete(run._id);
    await pending
      .release([run._id], afterMs, true)
      .catch((failure: unknown) => log.warn({ err: failure }, 'could not record a failed workflow start'));
  }

  function engineAnswered(): void {
    const since = outage.since();
    outage.succeeded();
    if (!since) return;
    log.info({ downMs: Date.now() - since.getTime() }, 'Temporal is available again');
    void sweep();
  }

  /** Leaves the queued runs to the sweeps of all servers, including this one. */
  async function handOver(): Promise<void> {
    const ids = queue.drain().map((run) => run._id);
    for (const id of ids) held.delete(id);
    await pending
      .release(ids, 0, false)
      .catch((error: unknown) => log.warn({ err: error }, 'could not release pending starts; their lease will expire'));
  }

  function sweep(): Promise<void> {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  }

  async function sweepOnce(): Promise<void> {
    const isDown = outage.since() !== undefined;
    const room = isDown ? 1 - inFlight.size : QUEUE_MAX - queue.size;
    // The cost of a claim grows with the backlog: not worth it for a few runs.
    if (room <= 0 || queue.size > QUEUE_MAX / 2 || stopping) return;
    moreDue = false;
    try {
      const claimedAt = performance.now();
      const runs = await pending.claim(room, LEASE_MS, { deadlineMs: deps.startDeadlineMs });
      for (const run of runs) hold(run, claimedAt);
      moreDue = runs.length === room && !isDown;
    } catch (error) {
      log.warn({ err: error }, 'the sweep for pending starts failed; retrying in 1 s');
    }
  }

  /** Prevents other servers from claiming or giving up the runs that are queued here. */
  async function renewLeases(): Promise<void> {
    const now = performance.now();
    const ids = [...held].filter(([, leasedAt]) => now - leasedAt >= RENEW_MS).map(([id]) => id);
    await pending.renew(ids, LEASE_MS);
    for (const id of ids) if (held.has(id)) held.set(id, now);
  }

  async function giveUpLateAndCount(): Promise<void> {
    await pending.giveUp(deps.startDeadlineMs);
    pendingCount = (await pending.count()).pending;
  }

  /** Separate from the sweeps, which are skipped while the queue is full. */
  async function maintain(): Promise<void> {
    try {
      await renewLeases();
      if (ticks++ % COUNT_EVERY_TICKS === 0) await giveUpLateAndCount();
    } catch (error) {
      log.warn({ err: error }, 'could not extend leases of pending starts; retrying in 1 s');
    }
  }

  function tick(): void {
    void sweep();
    maintaining ??= maintain().finally(() => {
      maintaining = undefined;
    });
  }

  async function endAll(): Promise<void> {
    // A sweep in progress may still add runs, which are handed over as well.
    await Promise.all([sweeping, maintaining]);
    await Promise.all([handOver(), ...inFlight]);
    await Promise.all(records);
  }

  const timer = setInterval(tick, TICK_MS);

  return {
    firstSweepAt: (now, projectId) =>
      outage.since() || !hasRoom(projectId) ? now : new Date(now.getTime() + LEASE_MS),
    enqueue(run) {
      pendingCount++;
      // The lease began before the commit: have it renewed at the next tick.
      if (!outage.since() && !stopping && hasRoom(run.projectId)) hold(run, performance.now() - RENEW_MS);
    },
    isFull: () => pendingCount >= deps.maxPending,
    engineDownSince: () => outage.since(),
    state: () => ({
      results: { ...results },
      inFlight: inFlight.size,
      inFlightLimit: limit(),
      isEngineDown: outage.since() !== undefined,
    }),
    async stop() {
      stopping = true;
      clearInterval(timer);
      clearTimeout(paused);
      await pTimeout(endAll(), { milliseconds: STOP_DEADLINE_MS, message: false });
    },
  };
}

/** Exponential backoff after a failed start. */
function backoffMs({ dispatch }: PendingRun, max: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (dispatch?.attempts ?? 0), max);
}
