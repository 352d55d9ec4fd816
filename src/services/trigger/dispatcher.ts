import pTimeout from 'p-timeout';
import type { PendingRun, PendingStarts } from '#src/db/runs/pending-starts.js';
import type { Logger } from '#src/lib/logger.js';
import type { EngineTrouble } from '#src/temporal/engine-trouble.js';
import { createEngineOutage } from './engine-outage.js';
import { createFairQueue } from './fair-queue.js';
import { createStartWindow } from './start-window.js';

/** How long a run is leased to the server that starts it; after that any server may claim it. */
export const LEASE_MS = 10_000;
/** A run that is held for so long has its lease extended. */
const RENEW_MS = LEASE_MS / 2;
const TICK_MS = 1000;
const COUNT_EVERY_TICKS = 5;
/** Bound of the queue in memory; what does not fit waits in the database for a sweep. */
const QUEUE_MAX = 1000;
const QUEUE_LOW = 100;
/** In a queue that is full of others' runs a project may still have so many, within twice the bound in all. */
const PROJECT_SHARE = 10;
const FIRST_BACKOFF_MS = 1000;
/** For a run that Temporal refuses. */
const LONGEST_BACKOFF_MS = 60_000;
/** For a run whose start got no answer: it need not wait long when Temporal is back. */
const LONGEST_TROUBLE_BACKOFF_MS = 5000;
const STOP_DEADLINE_MS = 6000;

export interface DispatcherDeps {
  pending: PendingStarts;
  /** Starts the workflow; idempotent. */
  start(run: PendingRun): Promise<void>;
  /** Whether a failed start is Temporal's trouble, and which; undefined: this run's own. */
  engineTroubleOf(error: unknown): EngineTrouble | undefined;
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

/** How a start ended. */
export type StartResult = 'started' | 'refused' | EngineTrouble;

/** What a dispatcher does, for the metrics. */
export interface DispatcherState {
  /** Starts since this process began, by how they ended. */
  results: Record<StartResult, number>;
  inFlight: number;
  /** Starts in flight at most; fewer than configured while Temporal is overloaded or fails. */
  inFlightLimit: number;
  isEngineDown: boolean;
}

export interface Dispatcher {
  /** The first moment at which a sweep may claim a run that is accepted now. */
  firstSweepAt(now: Date, projectId: string): Date;
  /** Starts a committed run as soon as it is its project's turn. */
  enqueue(run: PendingRun): void;
  /** Too many runs wait for their start: no more should be accepted. */
  isFull(): boolean;
  /** Since when Temporal has not taken starts; undefined while it takes them. */
  engineDownSince(): Date | undefined;
  state(): DispatcherState;
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
  const window = createStartWindow(deps.inFlight);
  const outage = createEngineOutage();
  const results: DispatcherState['results'] = { started: 0, refused: 0, overloaded: 0, unavailable: 0 };
  /** In the queue or under way here, with the moment from which their lease counts (monotonic, ms). */
  const held = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const notes = new Set<Promise<void>>();
  let pendingCount = 0;
  let sweeping: Promise<void> | undefined;
  let keeping: Promise<void> | undefined;
  let ticks = 0;
  let moreDue = false;
  let pumpScheduled = false;
  let paused: NodeJS.Timeout | undefined;
  let stopping = false;

  /** One project's flood leaves room for the others' runs. */
  const hasRoom = (projectId: string) =>
    queue.size < QUEUE_MAX || (queue.sizeOf(projectId) < PROJECT_SHARE && queue.size < 2 * QUEUE_MAX);

  const limit = () => (outage.since() ? 1 : Math.max(1, Math.floor(window.size() / outage.caution())));

  function hold(run: PendingRun, leasedAt: number): void {
    if (held.has(run._id)) return;
    held.set(run._id, leasedAt);
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
    while (!stopping && underWay.size < limit() && !isPaused()) {
      const run = queue.shift();
      if (!run) break;
      const start = startOne(run).finally(() => {
        underWay.delete(start);
        pump();
      });
      underWay.add(start);
    }
    if (moreDue && queue.size < QUEUE_LOW) void sweep();
  }

  /** Temporal has asked for less: the pump goes on by itself later. */
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
    noteStart(run._id);
  }

  /** Behind the next starts. What is not noted is started once more by the sweep, which changes nothing. */
  function noteStart(runId: string): void {
    const note = pending
      .clear(runId)
      .catch((error: unknown) => log.warn({ err: error }, 'could not record a workflow start'))
      .finally(() => {
        notes.delete(note);
        held.delete(runId);
      });
    notes.add(note);
  }

  /** It keeps its lease and goes back to the queue. */
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
    // In an outage each is a probe, made when it is its turn.
    await release(run, outage.since() ? 0 : backoffMs(run, LONGEST_TROUBLE_BACKOFF_MS));
    if (isOutage) await handOver();
  }

  async function startRefused(run: PendingRun, error: unknown): Promise<void> {
    log.error({ err: error, runId: run._id }, 'Temporal rejected a workflow start; retrying later');
    deps.onRefused?.();
    await release(run, backoffMs(run, LONGEST_BACKOFF_MS));
  }

  /** After a start that failed. */
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

  /** Gives the queue's runs back to the sweeps, this server's own included. */
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
    const room = isDown ? 1 - underWay.size : QUEUE_MAX - queue.size;
    // A claim costs the more the longer the backlog is: not worth it for a few.
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

  /** Others neither claim nor give up what waits here for its turn. */
  async function renewLeases(): Promise<void> {
    const now = performance.now();
    const ids = [...held].filter(([, leasedAt]) => now - leasedAt >= RENEW_MS).map(([id]) => id);
    await pending.renew(ids, LEASE_MS);
    for (const id of ids) if (held.has(id)) held.set(id, now);
  }

  async function endLateAndCount(): Promise<void> {
    await pending.giveUp(deps.startDeadlineMs);
    pendingCount = (await pending.count()).pending;
  }

  /** Beside the sweeps, which have nothing to do while the queue is full. */
  async function keepBooks(): Promise<void> {
    try {
      await renewLeases();
      if (ticks++ % COUNT_EVERY_TICKS === 0) await endLateAndCount();
    } catch (error) {
      log.warn({ err: error }, 'could not extend leases of pending starts; retrying in 1 s');
    }
  }

  function tick(): void {
    void sweep();
    keeping ??= keepBooks().finally(() => {
      keeping = undefined;
    });
  }

  async function endAll(): Promise<void> {
    // They may still bring runs, which are handed over too.
    await Promise.all([sweeping, keeping]);
    await Promise.all([handOver(), ...underWay]);
    await Promise.all(notes);
  }

  const timer = setInterval(tick, TICK_MS);

  return {
    firstSweepAt: (now, projectId) =>
      outage.since() || !hasRoom(projectId) ? now : new Date(now.getTime() + LEASE_MS),
    enqueue(run) {
      pendingCount++;
      // Its lease began before its record was committed: it is extended at the next tick, unless it is started by then.
      if (!outage.since() && !stopping && hasRoom(run.projectId)) hold(run, performance.now() - RENEW_MS);
    },
    isFull: () => pendingCount >= deps.maxPending,
    engineDownSince: () => outage.since(),
    state: () => ({
      results: { ...results },
      inFlight: underWay.size,
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

/** How long a run whose start has failed waits for the next one: twice as long each time. */
function backoffMs({ dispatch }: PendingRun, longest: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (dispatch?.attempts ?? 0), longest);
}
