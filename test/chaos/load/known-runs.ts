import type { ErrorCode } from '#src/domain/runs/run.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';

/** How a run of a test must end, whatever breaks meanwhile. */
export interface KnownTestRun {
  status: RunStatus;
  errorCode?: ErrorCode;
  /** Verdicts of its attempts, in order. */
  attempts: RunStatus[];
}

/** How a run of a suite must end: its tests by position. */
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
  /** Not triggered while so many of its runs are open: it takes its time. */
  maxOpen?: number;
  known: Run;
  /** Its settings in the project file. */
  settings: Record<string, unknown>;
}

const TESTS: Record<string, Known<KnownTestRun>> = {
  Quick: { weight: 6, known: passed, settings: { command: ['true'] } },
  Short: { weight: 3, known: passed, settings: { command: shell('echo begun; sleep 0.5; echo done') } },
  // Long enough for faults to hit them in the middle; the second has a process in the background.
  Long: { weight: 2, known: passed, settings: { command: shell('sleep 3') } },
  Longer: { weight: 1, known: passed, settings: { command: shell('sleep 300 & sleep 7; kill $!') } },
  Fails: { weight: 2, known: failed, settings: { command: shell('exit 3') } },
  'Fails twice': { weight: 1, known: failedTwice, settings: { command: shell('sleep 0.2; exit 1'), retries: 1 } },
  Flaky: { weight: 3, known: flaky, settings: { command: shell('test "$RUNHOOK_ATTEMPT" -ge 2'), retries: 2 } },
  // In a suite with a second pass it is the one that passes there.
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
  // Continues as new twice, with a test in flight (see LONG_HISTORY).
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

/** Events from which on Temporal suggests to continue as new: few, so that a suite of some 20 tests does. */
export const LONG_HISTORY = 80;

export interface Target {
  kind: 'tests' | 'suites';
  name: string;
  /** Not triggered while so many of its runs are open. */
  maxOpen?: number;
}

/** What callers trigger, each as often as its weight says. */
export const TARGETS: readonly Target[] = [...targetsOf('tests', TESTS), ...targetsOf('suites', SUITES)];

function targetsOf(kind: Target['kind'], known: Record<string, Known<unknown>>): Target[] {
  return Object.entries(known).flatMap(([name, { weight, maxOpen }]) =>
    Array<Target>(weight).fill({ kind, name, ...(maxOpen === undefined ? {} : { maxOpen }) }),
  );
}

export const knownTestRun = (name: string): KnownTestRun | undefined => TESTS[name]?.known;
export const knownSuiteRun = (name: string): KnownSuiteRun | undefined => SUITES[name]?.known;

/** @param mark in the environment of every test's process, by which leftovers are found: NAME=VALUE */
export function projectFileWith(mark: string): string {
  const [name, value] = mark.split('=') as [string, string];
  return JSON.stringify({
    project: 'Chaos',
    tests: Object.entries(TESTS).map(([test, { settings }]) => ({ name: test, ...settings, env: { [name]: value } })),
    suites: Object.entries(SUITES).map(([suite, { settings }]) => ({ name: suite, ...settings })),
  });
}
