import { defineSearchAttributeKey } from '@temporalio/common';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { OnFailure, Overlap, Priority } from '#src/domain/targets/definitions.js';
import type { TriggerType } from '#src/domain/runs/run.js';
import type { RunStatus, StatusCounts, TerminalStatus } from '#src/domain/runs/run-status.js';

/** The contract between workflows, the clients that start them, and workers. */

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
  kind: TargetKind;
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

/** Default priorities by trigger: people first, then machines, then schedules. */
const PRIORITY_OF_TRIGGER: Record<TriggerType, Priority> = {
  web: 2,
  cli: 2,
  api: 2,
  webhook: 3,
  suite: 3,
  schedule: 4,
};

/**
 * The priority of a run on its task queue, as a start option: by priority, and within one priority round-robin
 * by project. Its activities and children inherit it.
 * @param run.priority of the suite; overrides the default of the trigger
 */
export function priorityOf(run: { projectId: string; trigger: TriggerType; priority?: Priority }) {
  return { priorityKey: run.priority ?? PRIORITY_OF_TRIGGER[run.trigger], fairnessKey: run.projectId };
}

/** At most 400 bytes (Temporal's limit): a readable summary of the run. */
export function summaryOf(kind: TargetKind, name: string): string {
  const what = kind === 'test' ? 'Test' : 'Suite';
  return `${what}: ${name.length > 120 ? `${name.slice(0, 119)}…` : name}`;
}

/** What the workflow needs of a test; the rest stays in the record. */
export interface TestPlan {
  runId: string;
  /**
   * A test of a suite: its search attributes are written, all at once, after a failed attempt. They cost Temporal more
   * than anything else that we add to a child, and operators do not search for passed tests.
   */
  ofSuite?: { projectId: string; targetId: string };
  /** The namespace lacks our search attributes: none are written, because Temporal would reject the workflow task. */
  unlisted?: true;
  pool: string;
  timeoutMs: number;
  /** Timeout for preparing its files, in ms; absent: it has none. */
  preparationMs?: number;
  retries: number;
  /** How long the test may wait while its pool has no runner, in ms; absent: no limit. */
  noRunnerMs?: number;
  /**
   * It keeps its place in the pool's queue, however long it waits. Absent in plans of earlier versions, which took the
   * test out of the queue at `noRunnerMs` and requeued it. Part of the plan, because `patched` would cost each run two
   * events.
   */
  keepsPlace?: true;
  /** Heartbeat timeout in ms; absent: one minute. */
  heartbeatTimeoutMs?: number;
  /** Number of attempts in earlier passes of the suite. */
  earlierAttempts?: number;
  /** The workflow to report the end to, because the suite is about to continue as new. */
  reportTo?: string;
  /** Whether the suite may run this test again if it fails. */
  mayRunAgain?: boolean;
}

/** What the workflow needs of a suite. Optional fields are absent in plans of the first version. */
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
  /** Timeout of the suite run, in ms. */
  timeoutMs?: number;
  /** The suite's id; present if `overlap` is. */
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

/** `auto_retrying`: it did not pass, and its suite may run it again. */
export interface TestResult {
  status: TerminalStatus | 'auto_retrying';
}

export interface TestEnd extends TestResult {
  runId: string;
}

/** A test of a suite, as an item of a page. */
export interface SuiteTest extends TestPlan {
  targetId: string;
  name: string;
  /** Position in the suite, from 0. */
  position: number;
  /** The test does not exist: its record has ended as `error`, and there is nothing to start. */
  isMissing?: true;
}

/** State of a suite run at continue-as-new; bounded by the parallelism, not by the size of the suite. */
export interface SuiteProgress {
  total: number;
  counts: StatusCounts;
  /** 0 is the first pass; each later pass runs the tests that failed in the previous one. */
  pass: number;
  /** Position of the pass's next test. */
  next: number;
  /** The next tests of the current page, which need not be read again. */
  page?: SuiteTest[];
  /** Running tests that will report their end by signal. */
  inFlight: string[];
  /** When the suite's timeout is up, in ms since 1970. */
  deadline?: number;
}

/** A suite run's request for its turn, if runs of the suite must not overlap. */
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

/** The id of the workflow of a suite's line. @param queue the installation's workflow queue */
export function lineOf(queue: string, suiteId: string): string {
  return `${queue}-line-${suiteId}`;
}
