import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { DispatcherState } from '#src/services/trigger/dispatcher.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Values that the gauges read at each scrape. */
export interface MetricsSource {
  pendingStarts(): Promise<{ pending: number; oldest?: Date }>;
  runsByStatus(): Promise<Partial<Record<RunStatus, number>>>;
  /** `queue` is absent if Temporal does not respond. */
  runners(): Promise<{ pool: string; runners: number; slots: number; queue?: { oldestMs: number } | undefined }[]>;
  /** Workflow starts of this server. */
  starts?(): DispatcherState;
  /** Number of schedules rejected by Temporal. */
  refusedSchedules?(): Promise<number>;
  /** Results of the maintenance jobs, the same on all servers. */
  maintenance?(): Promise<MaintenanceState[]>;
}

export interface MaintenanceState {
  _id: 'reconcile' | 'retention' | 'schedules';
  counts: Record<string, number>;
  lastSuccessAt?: Date;
}

export interface Metrics {
  registry: Registry;
  requests: Counter<'route' | 'method' | 'status'>;
  triggerSeconds: Histogram<'kind'>;
  dispatchDelaySeconds: Histogram;
}

/**
 * The metrics of the server. Labels are templates and enumerations, never IDs, names or tokens.
 * @param time the database's time, which dates the records (Unix, ms)
 */
export function createMetrics(source: MetricsSource, time: () => number = Date.now): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const pendingStarts = shared(source.pendingStarts);
  new Gauge({
    name: 'runhook_pending_starts',
    help: 'Runs waiting to be started',
    registers,
    async collect() {
      this.set((await pendingStarts())?.pending ?? NaN);
    },
  });
  new Gauge({
    name: 'runhook_pending_starts_oldest_seconds',
    help: 'Age of the oldest pending run',
    registers,
    async collect() {
      const now = await pendingStarts();
      this.set(now ? secondsSince(now.oldest, time) : NaN);
    },
  });
  new Gauge({
    name: 'runhook_runs',
    help: 'Recorded runs by status',
    labelNames: ['status'],
    registers,
    async collect() {
      const runs = await source.runsByStatus().catch(() => ({}));
      this.reset();
      for (const [status, count] of Object.entries(runs)) this.set({ status }, count);
    },
  });
  if (source.starts) addStartMetrics(registers, source.starts);
  const { refusedSchedules } = source;
  if (refusedSchedules)
    new Gauge({
      name: 'runhook_schedules_refused',
      help: 'Schedules that Temporal does not accept, for example because of their time zone; they start nothing',
      registers,
      async collect() {
        this.set(await refusedSchedules().catch(() => NaN));
      },
    });
  if (source.maintenance) addMaintenanceMetrics(registers, shared(source.maintenance));

  const runners = shared(source.runners);
  const runnerGauge = (name: string, help: string, value: 'runners' | 'slots') =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers,
      async collect() {
        const pools = (await runners()) ?? [];
        this.reset();
        for (const one of pools) this.set({ pool: one.pool }, one[value]);
      },
    });
  runnerGauge(
    'runhook_runners',
    'Live workers by pool; a pool without workers for a week and without queued runs is omitted',
    'runners',
  );
  runnerGauge(
    'runhook_runner_slots',
    'Number of tests that the live workers of a pool can run at the same time',
    'slots',
  );

  new Gauge({
    name: 'runhook_pool_queue_oldest_seconds',
    help: 'Age of the oldest test that waits for a worker in the task queue of a pool; omitted while Temporal is unavailable',
    labelNames: ['pool'],
    registers,
    async collect() {
      const pools = (await runners()) ?? [];
      this.reset();
      for (const { pool, queue } of pools) if (queue) this.set({ pool }, queue.oldestMs / 1000);
    },
  });

  return {
    registry,
    requests: new Counter({
      name: 'runhook_http_requests_total',
      help: 'HTTP requests by route template, method and status',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    triggerSeconds: new Histogram({
      name: 'runhook_trigger_duration_seconds',
      help: 'Time from the arrival of a webhook POST to its response',
      labelNames: ['kind'],
      buckets: SECONDS,
      registers,
    }),
    dispatchDelaySeconds: new Histogram({
      name: 'runhook_dispatch_delay_seconds',
      help: 'Time from the acceptance of a run to the start of its workflow',
      buckets: SECONDS,
      registers,
    }),
  };
}

function addStartMetrics(registers: Registry[], state: () => DispatcherState): void {
  new Counter({
    name: 'runhook_starts_total',
    help: 'Workflow starts by this server by result: started, refused, overloaded (Temporal is at its limit), unavailable (no response)',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(state().results)) this.inc({ result }, count);
    },
  });
  const gauge = (name: string, help: string, value: (state: DispatcherState) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(state()));
      },
    });
  gauge('runhook_starts_in_flight', 'Workflow starts in flight', ({ inFlight }) => inFlight);
  gauge(
    'runhook_starts_in_flight_limit',
    'Maximum number of workflow starts in flight; lower than configured while Temporal is overloaded',
    ({ inFlightLimit }) => inFlightLimit,
  );
  gauge('runhook_temporal_down', '1 while Temporal accepts no starts: several failed in a row', ({ isEngineDown }) =>
    isEngineDown ? 1 : 0,
  );
}

/** Metrics of jobs that run in workers and record their results in the database. A job that has never run has none. */
function addMaintenanceMetrics(registers: Registry[], read: () => Promise<MaintenanceState[] | undefined>): void {
  const stateOf = async (job: MaintenanceState['_id']) => (await read())?.find(({ _id }) => _id === job);
  new Counter({
    name: 'runhook_reconciled_total',
    help: 'Runs whose record was repaired, by problem',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset();
      for (const [kind, count] of Object.entries((await stateOf('reconcile'))?.counts ?? {})) this.inc({ kind }, count);
    },
  });
  new Counter({
    name: 'runhook_retention_removed_total',
    help: 'Runs removed because their retention ended',
    registers,
    async collect() {
      this.reset();
      this.inc((await stateOf('retention'))?.counts.runs ?? 0);
    },
  });
  new Counter({
    name: 'runhook_scheduled_total',
    help: 'Times of schedules by result: fired, refused',
    labelNames: ['result'],
    registers,
    async collect() {
      this.reset();
      for (const [result, count] of Object.entries((await stateOf('schedules'))?.counts ?? {}))
        this.inc({ result }, count);
    },
  });
  for (const job of ['reconcile', 'retention'] as const)
    new Gauge({
      name: `runhook_${job}_last_success_timestamp_seconds`,
      help: `End of the last pass of ${job} without failures`,
      registers,
      async collect() {
        const at = (await stateOf(job))?.lastSuccessAt;
        this.set(at ? at.getTime() / 1000 : NaN);
      },
    });
}

/** One read for all gauges of a scrape; undefined while the database is unavailable, when the other metrics are needed. */
function shared<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  return () =>
    (reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined)));
}

function secondsSince(moment: Date | undefined, now: () => number): number {
  return moment ? (now() - moment.getTime()) / 1000 : 0;
}
