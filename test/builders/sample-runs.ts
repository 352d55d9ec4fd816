import { randomId } from '#src/domain/ids.js';
import type { LogLine } from '#src/domain/runs/log-line.js';
import type { AttemptRecord, SuiteRun, TestRun } from '#src/domain/runs/run.js';

/** Base of the times of sample runs. */
export const NOON = Date.UTC(2026, 7, 2, 12, 0, 0, 0);

/** A time in seconds after noon. */
export function after(seconds: number): Date {
  return new Date(NOON + seconds * 1000);
}

const base = () => ({
  _id: randomId(),
  projectId: randomId(),
  targetId: randomId(),
  targetRevision: 3,
  seq: 0,
  queuedAt: after(0),
  modified: after(0),
  expiresAt: after(1e6),
  triggeredBy: { type: 'webhook' as const },
});

export function testRun(some: Partial<TestRun> = {}): TestRun {
  return {
    ...base(),
    kind: 'test',
    targetName: 'Checkout works',
    status: 'queued',
    definition: {
      runner: 'command',
      command: ['node', 'checkout.mjs', '--currency', 'EUR and USD'],
      cwd: '/srv/demo',
      env: { BASE: 'http://127.0.0.1:8080/?key=value-of-a-variable' },
      timeoutMs: 60_000,
      retries: 1,
      pool: 'default',
    },
    attempt: 0,
    attempts: [],
    ...some,
  };
}

export function suiteRun(some: Partial<SuiteRun> = {}): SuiteRun {
  return {
    ...base(),
    kind: 'suite',
    targetName: 'Smoke',
    status: 'running',
    startedAt: after(1),
    definition: {
      tests: [randomId(), randomId(), randomId()],
      parallelism: 4,
      onFailure: 'continue',
      retryFailed: 0,
      overlap: 'allow',
    },
    ...some,
  };
}

export function attempt(some: Partial<AttemptRecord> = {}): AttemptRecord {
  return { number: 1, delivery: 1, worker: 'ci-7:4711', startedAt: after(1), ...some };
}

let lastSeq = 0;

export function logLine(text: string, some: Partial<LogLine> = {}): LogLine {
  const seq = ++lastSeq;
  return {
    _id: `run:${seq}`,
    runId: 'run',
    attempt: 1,
    delivery: 1,
    seq,
    at: after(2),
    stream: 'stdout',
    text,
    ...some,
  };
}
