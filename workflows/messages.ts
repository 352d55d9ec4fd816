import { defineSearchAttributeKey } from '@temporalio/common';
import type { OnFailure, Overlap, Priority } from '../src/domain/definitions.js';
import type { RunKind, TriggerType } from '../src/domain/run.js';
import type { RunStatus, StatusCounts, TerminalStatus } from '../src/domain/run-status.js';

/** What workflows, the clients that start them and the workers that run them agree on. */

const PREFIX = 'runhook';

/**
 * Task queue of workflows and record activities. All names of an installation begin with it: task queues of pools,
 * schedules, workflow ids of singletons. Workflow code has it as `workflowInfo().taskQueue`.
 */
export function workflowQueue(installationId: string): string {
  return `${PREFIX}-${installationId}`;
}

/** The task queue of versions without installation ids, and the prefix of all their names. */
export const LEGACY_QUEUE = PREFIX;

/** The installation whose workflow queue this is; undefined for the queue of versions without installation ids. */
export function installationOf(queue: string): string | undefined {
  return queue.startsWith(`${PREFIX}-`) ? queue.slice(PREFIX.length + 1) : undefined;
}

/** Key of the memo that states which installation a run's workflow belongs to. */
export const INSTALLATION_MEMO = 'runhookInstallation';

/** The memo of a run's workflow, as a start option. */
export function memoOf(queue: string): { memo?: Record<string, string> } {
  const installationId = installationOf(queue);
  return installationId === undefined ? {} : { memo: { [INSTALLATION_MEMO]: installationId } };
}

/** Task queue of a runner pool: executing tests. @param queue the installation's workflow queue */
export function runnerQueue(queue: string, pool: string): string {
  return `${queue}-runner-${pool}`;
}

/** Search attributes, all of type Keyword. Never a secret: Temporal does not encrypt them. */
export const searchAttributes = {
  project: defineSearchAttributeKey('RunhookProject', 'KEYWORD'),
  kind: defineSearchAttributeKey('RunhookKind', 'KEYWORD'),
  target: defineSearchAttributeKey('RunhookTarget', 'KEYWORD'),
  status: defineSearchAttributeKey('RunhookStatus', 'KEYWORD'),
  trigger: defineSearchAttributeKey('RunhookTrigger', 'KEYWORD'),
};

/** The search attributes of a run as a start option. */
export function searchAttributesOf(run: {
  projectId: string;
  kind: RunKind;
  targetId: string;
  status: RunStatus;
  trigger: TriggerType;
}) {
  return [
    { key: searchAttributes.project, value: run.projectId },
    { key: searchAttributes.kind, value: run.kind },
    { key: searchAttributes.target, value: run.targetId },
    { key: searchAttributes.status, value: run.status },
    { key: searchAttributes.trigger, value: run.trigger },
  ];
}

/** Of a run that nobody gave a priority: people who wait come before machines, and machines before the clock. */
const PRIORITY_OF_TRIGGER: Record<TriggerType, Priority> = {
  web: 2,
  cli: 2,
  api: 2,
  webhook: 3,
  suite: 3,
  schedule: 4,
};

/**
 * A run's place among those that wait for the same queue, as a start option: by priority, and within one taking turns
 * among projects. Its activities and children inherit it.
 * @param run.priority the suite's own, in place of the trigger's
 */
export function priorityOf(run: { projectId: string; trigger: TriggerType; priority?: Priority }) {
  return { priorityKey: run.priority ?? PRIORITY_OF_TRIGGER[run.trigger], fairnessKey: run.projectId };
}

/** At most 400 bytes (Temporal's limit): a line that says in a person's words what runs. */
export function summaryOf(kind: RunKind, name: string): string {
  const what = kind === 'test' ? 'Test' : 'Suite';
  return `${what}: ${name.length > 120 ? `${name.slice(0, 119)}…` : name}`;
}

/** What the workflow needs to know of a test; the rest stays in the record. */
export interface TestPlan {
  runId: string;
  /**
   * A suite's test: its search attributes are written when an attempt did not pass, all at once. They cost the engine more
   * than anything else that we add to a child, and 10,000 tests that passed are nothing that operators look for.
   */
  ofSuite?: { projectId: string; targetId: string };
  /** The namespace lacks our search attributes: none are written, because Temporal would refuse the workflow's task. */
  unlisted?: true;
  pool: string;
  timeoutMs: number;
  /** How long its files may take to be made ready before that, in ms; absent: it has none to make ready. */
  preparationMs?: number;
  retries: number;
  /** How long the test may wait while its pool has no runner, in ms; absent, for ever. */
  noRunnerMs?: number;
  /**
   * It keeps its place in the pool's queue, however long it waits. Absent in plans of earlier versions: those took the
   * test out of the queue at `noRunnerMs` and put it at the end. In the plan, because `patched` would cost each run two
   * events.
   */
  keepsPlace?: true;
  /** How long a worker that has the test may be silent, in ms; absent, a minute. */
  heartbeatTimeoutMs?: number;
  /** Attempts that were made in earlier passes of the suite. */
  earlierAttempts?: number;
  /** The workflow to report the end to: the suite is about to continue as new. */
  reportTo?: string;
  /** Whether the suite may run this test once more when it fails. */
  mayRunAgain?: boolean;
}

/** What the workflow needs to know of a suite; what is optional was not there in the first version. */
export interface SuitePlan {
  runId: string;
  /** The suite's name, for operators: a static summary is lost when the workflow continues as new. */
  name?: string;
  projectId: string;
  /** As in TestPlan, for each of its tests too. */
  unlisted?: true;
  parallelism: number;
  onFailure: OnFailure;
  retryFailed?: number;
  /** From the suite's begin to its end, in ms. */
  timeoutMs?: number;
  /** The suite's id; there when `overlap` is. */
  suiteId?: string;
  /** Absent: `allow`. */
  overlap?: Overlap;
  /** As in TestPlan, for each of its tests. */
  noRunnerMs?: number;
  heartbeatTimeoutMs?: number;
}

export interface RunResult {
  status: TerminalStatus;
}

/** `auto_retrying`: it did not pass and its suite may run it once more. */
export interface TestResult {
  status: TerminalStatus | 'auto_retrying';
}

export interface TestEnd extends TestResult {
  runId: string;
}

/** One of a suite's tests, as a page of them lists it. */
export interface SuiteTest extends TestPlan {
  targetId: string;
  name: string;
  /** Place in the suite, from 0. */
  position: number;
  /** The suite names a test that cannot be found: its record has ended as `error`, and there is nothing to start. */
  isMissing?: true;
}

/** What a suite's run hands to itself when it continues as new; bounded by the parallelism, not by the suite's size. */
export interface SuiteProgress {
  total: number;
  counts: StatusCounts;
  /** 0 is the first pass; those after it are of the tests that failed in the one before. */
  pass: number;
  /** Position of the pass's next test. */
  next: number;
  /** The tests that come next, as they were listed: they can be started without asking again. */
  page?: SuiteTest[];
  /** Runs of tests that were started and will report their end by signal. */
  inFlight: string[];
  /** When the suite's timeout is up, in ms since 1970. */
  deadline?: number;
}

/** What a run of a suite whose runs must not overlap tells the suite's line. */
export interface Arrival {
  runId: string;
  /** In ms since 1970: the order of arrival. */
  queuedAt: number;
  overlap: Exclude<Overlap, 'allow'>;
  /** The suite's open runs that were triggered before this one, nearest first. */
  earlier: { runId: string; queuedAt: number }[];
}

/** `skip`: the run `behind` is not over. */
export type Turn = { decision: 'begin' } | { decision: 'skip'; behind: string };

/** The workflow that keeps a suite's line. @param queue the installation's workflow queue */
export function lineOf(queue: string, suiteId: string): string {
  return `${queue}-line-${suiteId}`;
}
