import type { ErrorCode } from '#src/domain/runs/run.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';

/** The expected end of a test run under any faults. */
export interface KnownTestRun {
  status: RunStatus;
  errorCode?: ErrorCode;
  /** Verdicts of its attempts, in order. */
  attempts: RunStatus[];
}

/** The expected end of a suite run: its tests by position. */
export interface KnownSuiteRun {
  status: RunStatus;
  tests: KnownTestRun[];
}

const passed: KnownTestRun = { status: 'passed', attempts: ['passed'] };
const failed: KnownTestRun = { status: 'failed', attempts: ['failed'] };
const flaky: KnownTestRun = { status: 'passed', attempts: ['failed', 'passed'] };
const failedTwice: KnownTestRun = { status: 'failed', attempts: ['failed', 'failed'] };
const timedOut: KnownTestRun = { status: 'error', errorCode: 'TEST_TIMEOUT', attempts: ['error'] };
const skipped: KnownTestRun = { status: 'skipped', attempts: [] };

const shell = (script: string) => ['sh', '-c', script];

interface Known<Run> {
  /** How often it is drawn, relative to the others. */
  weight: number;
  /** Maximum number of open runs, for slow tests. */
  maxOpen?: number;
  known: Run;
  /** Its settings in the project file. */
  settings: Record<string, unknown>;
}

const TESTS: Record<string, Known<KnownTestRun>> = {
  Quick: { weight: 6, known: passed, settings: { command: ['true'] } },
  Short: { weight: 3, known: passed, settings: { command: shell('echo begun; sleep 0.5; echo done') } },
  // Long enough for faults to hit them; the second has a background process.
  Long: { weight: 2, known: passed, settings: { command: shell('sleep 3') } },
  Longer: { weight: 1, known: passed, settings: { command: shell('sleep 300 & sleep 7; kill $!') } },
  Fails: { weight: 2, known: failed, settings: { command: shell('exit 3') } },
  'Fails twice': { weight: 1, known: failedTwice, settings: { command: shell('sleep 0.2; exit 1'), retries: 1 } },
  Flaky: { weight: 3, known: flaky, settings: { command: shell('test "$RUNHOOK_ATTEMPT" -ge 2'), retries: 2 } },
  // In a suite with a second pass, it passes in that one.
  'Fails once': { weight: 1, known: failed, settings: { command: shell('sleep 0.1; test "$RUNHOOK_ATTEMPT" -ge 2') } },
  Hangs: { weight: 1, known: timedOut, settings: { command: shell('sleep 300 & sleep 300'), timeout: '1s' } },
};

const SUITES: Record<string, Known<KnownSuiteRun>> = {
  'All pass': {
    weight: 2,
    known: { status: 'passed', tests: [passed, passed, passed, passed, flaky] },
    settings: { tests: ['Quick', 'Long', 'Short', 'Quick', 'Flaky'], parallelism: 2 },
  },
  'Goes on': {
    weight: 2,
    known: { status: 'failed', tests: [passed, failed, flaky, timedOut, passed] },
    settings: { tests: ['Quick', 'Fails', 'Flaky', 'Hangs', 'Short'], parallelism: 3, onFailure: 'continue' },
  },
  Stops: {
    weight: 2,
    known: { status: 'failed', tests: [passed, failed, skipped, skipped] },
    settings: { tests: ['Short', 'Fails', 'Quick', 'Long'], parallelism: 1, onFailure: 'stop' },
  },
  'Second pass': {
    weight: 2,
    known: { status: 'failed', tests: [flaky, passed, failedTwice, flaky] },
    settings: { tests: ['Fails once', 'Quick', 'Fails', 'Flaky'], parallelism: 2, retryFailed: 1 },
  },
  'One at a time': {
    weight: 2,
    maxOpen: 3,
    known: { status: 'passed', tests: [passed, passed] },
    settings: { tests: ['Short', 'Quick'], overlap: 'queue' },
  },
  // Continues as new twice, with a running test (see LONG_HISTORY).
  'Long suite': {
    weight: 1,
    maxOpen: 2,
    known: { status: 'passed', tests: Array.from({ length: 25 }, () => passed) },
    settings: { tests: ['Quick', 'Longer', 'Long', ...Array<string>(22).fill('Quick')], parallelism: 4 },
  },
  'Times out': {
    weight: 1,
    known: { status: 'error', tests: [timedOut, passed] },
    settings: { tests: ['Hangs', 'Quick'], parallelism: 2 },
  },
};

/** Number of events after which Temporal suggests to continue as new: so small that a suite of about 20 tests does. */
export const LONG_HISTORY = 80;

export interface Target {
  kind: 'tests' | 'suites';
  name: string;
  /** Maximum number of open runs. */
  maxOpen?: number;
}

/** Targets that callers trigger, by weight. */
export const TARGETS: readonly Target[] = [...targetsOf('tests', TESTS), ...targetsOf('suites', SUITES)];

function targetsOf(kind: Target['kind'], known: Record<string, Known<unknown>>): Target[] {
  return Object.entries(known).flatMap(([name, { weight, maxOpen }]) =>
    Array<Target>(weight).fill({ kind, name, ...(maxOpen === undefined ? {} : { maxOpen }) }),
  );
}

export const knownTestRun = (name: string): KnownTestRun | undefined => TESTS[name]?.known;
export const knownSuiteRun = (name: string): KnownSuiteRun | undefined => SUITES[name]?.known;

/** @param mark in the environment of every test process, to find leftovers: NAME=VALUE */
export function projectFileWith(mark: string): string {
  const [name, value] = mark.split('=') as [string, string];
  return JSON.stringify({
    project: 'Chaos',
    tests: Object.entries(TESTS).map(([test, { settings }]) => ({ name: test, ...settings, env: { [name]: value } })),
    suites: Object.entries(SUITES).map(([suite, { settings }]) => ({ name: suite, ...settings })),
  });
}
