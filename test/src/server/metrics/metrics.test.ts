import { expect } from 'chai';
import { createMetrics, type MaintenanceState, type MetricsSource } from '#src/server/metrics/metrics.js';
import { aMetricsSource } from '#test/builders/metrics-source.js';

/** The lines of a metric, each split at its last space. */
async function shown(source: Partial<MetricsSource>, name: string): Promise<Record<string, string>> {
  const text = await createMetrics(aMetricsSource(source)).registry.metrics();
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
}

describe('metrics', () => {
  it('show the number of pending starts and the age of the oldest', async () => {
    const oldest = new Date(Date.now() - 30_000);
    const lines = await shown({ pendingStarts: async () => ({ pending: 3, oldest }) }, 'runhook_pending_starts');
    expect(lines.runhook_pending_starts).to.equal('3');
    expect(Number(lines.runhook_pending_starts_oldest_seconds)).to.be.within(30, 35);
  });

  it('show no age when nothing is pending, and runs by status', async () => {
    expect((await shown({}, 'runhook_pending_starts')).runhook_pending_starts_oldest_seconds).to.equal('0');
    const runs = await shown({ runsByStatus: async () => ({ passed: 2, failed: 1 }) }, 'runhook_runs');
    expect(runs).to.deep.equal({ 'runhook_runs{status="passed"}': '2', 'runhook_runs{status="failed"}': '1' });
  });

  it('show live workers and slots by pool', async () => {
    const runners = async () => [
      { pool: 'default', runners: 2, slots: 8 },
      { pool: 'gpu', runners: 0, slots: 0 },
    ];
    expect(await shown({ runners }, 'runhook_runner')).to.deep.equal({
      'runhook_runners{pool="default"}': '2',
      'runhook_runners{pool="gpu"}': '0',
      'runhook_runner_slots{pool="default"}': '8',
      'runhook_runner_slots{pool="gpu"}': '0',
    });
  });

  it('show how long the oldest test has waited in each queue that Temporal describes', async () => {
    const runners = async () => [
      { pool: 'default', runners: 1, slots: 4, queue: { oldestMs: 61_500 } },
      { pool: 'gpu', runners: 1, slots: 4, queue: { oldestMs: 0 } },
      { pool: 'unknown', runners: 1, slots: 4 },
    ];
    expect(await shown({ runners }, 'runhook_pool_queue')).to.deep.equal({
      'runhook_pool_queue_oldest_seconds{pool="default"}': '61.5',
      'runhook_pool_queue_oldest_seconds{pool="gpu"}': '0',
    });
  });

  it('show starts by result, and the limit of concurrent starts', async () => {
    const results = { started: 7, refused: 1, overloaded: 2, unavailable: 3 };
    const starts = () => ({ results, inFlight: 2, inFlightLimit: 12, isEngineDown: true });
    expect(await shown({ starts }, 'runhook_starts')).to.deep.equal({
      'runhook_starts_total{result="started"}': '7',
      'runhook_starts_total{result="refused"}': '1',
      'runhook_starts_total{result="overloaded"}': '2',
      'runhook_starts_total{result="unavailable"}': '3',
      runhook_starts_in_flight: '2',
      runhook_starts_in_flight_limit: '12',
    });
    expect(await shown({ starts }, 'runhook_temporal')).to.deep.equal({ runhook_temporal_down: '1' });
  });

  it('are available without the database', async () => {
    const unavailable = async () => {
      throw new Error('no database');
    };
    const source = { pendingStarts: unavailable, runsByStatus: unavailable };
    expect(await shown(source, 'process_cpu_seconds_total')).to.have.property('process_cpu_seconds_total');
    const pending = await shown(source, 'runhook_pending_starts');
    expect(pending).to.include({ runhook_pending_starts: 'Nan', runhook_pending_starts_oldest_seconds: 'Nan' });
    expect(await shown(source, 'runhook_runs')).to.deep.equal({});
  });

  it('show no stale values while the database is unavailable', async () => {
    let unavailable = false;
    const answerOr =
      <T>(answer: T) =>
      async () => {
        if (unavailable) throw new Error('no database');
        return answer;
      };
    const { registry } = createMetrics(
      aMetricsSource({
        pendingStarts: answerOr({ pending: 3 }),
        runsByStatus: answerOr({ passed: 2 }),
        runners: answerOr([{ pool: 'default', runners: 1, slots: 2 }]),
      }),
    );
    expect(await registry.metrics()).to.match(/^runhook_runs\{status="passed"\} 2$/m);
    expect(await registry.metrics()).to.match(/^runhook_runners\{pool="default"\} 1$/m);
    unavailable = true;
    const text = await registry.metrics();
    expect(text)
      .not.to.match(/^runhook_(runs|runners|runner_slots)\{/m)
      .and.not.to.match(/^runhook_pending_starts 3$/m);
  });

  it('show the results of the maintenance jobs, and their last success', async () => {
    const lastSuccessAt = new Date(1_700_000_000_500);
    const maintenance = async (): Promise<MaintenanceState[]> => [
      { _id: 'reconcile', counts: { stopped: 2, workflow_lost: 1 }, lastSuccessAt },
      { _id: 'retention', counts: { runs: 7, followed: 3 } },
    ];
    expect(await shown({ maintenance }, 'runhook_reconcile')).to.deep.equal({
      'runhook_reconciled_total{kind="stopped"}': '2',
      'runhook_reconciled_total{kind="workflow_lost"}': '1',
      runhook_reconcile_last_success_timestamp_seconds: '1700000000.5',
    });
    expect(await shown({ maintenance }, 'runhook_retention')).to.deep.equal({
      runhook_retention_removed_total: '7',
      runhook_retention_last_success_timestamp_seconds: 'Nan',
    });
  });
});
