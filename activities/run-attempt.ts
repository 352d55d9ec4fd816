import type { Delivery } from '#src/db/runs/run-status-store.js';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict, ErrorCode, TestRun } from '#src/domain/runs/run.js';
import { VariableMissingError } from './fill-in.js';
import { keepTrying } from './keep-trying.js';
import type { NotingArtifactSink } from './results/artifact-sink.js';
import type { CollectOutputs } from './results/collect-outputs.js';
import type { ClosableRunLog } from './run-log.js';
import { createSecretMask, type SecretMask } from './run-log/masker.js';
import type { Attempt, RunLog, Runner, StepLog } from './runners/runner.js';
import type { OpenWorkspace } from './sources/workspace.js';
import { withTimeLimit } from './time-limit.js';

export interface RunVariables {
  values: Record<string, string>;
  /** None of these may be shown. */
  secrets: string[];
}

/** See createVariablesOfRun. */
export interface UnreadableVariables {
  unreadable: string;
  errorCode: ErrorCode;
}

export interface RunAttemptDeps {
  /** Name of this worker, for the record. */
  worker: string;
  runnerOf(definition: TestDefinition): Runner;
  /** Variables in addition to those of the test. `unreadable`: why they cannot be decrypted. */
  variablesOf(run: TestRun): Promise<RunVariables | UnreadableVariables>;
  openLog(
    runId: string,
    delivery: Delivery,
    signal: AbortSignal,
    mask: SecretMask | undefined,
  ): RunLog & Pick<ClosableRunLog, 'close'>;
  openSteps(run: TestRun, delivery: Delivery, mask: SecretMask | undefined): StepLog & { close(): Promise<void> };
  artifactsOf(
    run: TestRun,
    delivery: Delivery,
    surroundings: Pick<Attempt, 'log' | 'mask' | 'signal'>,
  ): NotingArtifactSink;
  openWorkspace: OpenWorkspace;
  collectOutputs: CollectOutputs;
}

/** The remaining output of an attempt that has its verdict. */
export interface RestOfAttempt {
  /** Resolves when it is written or abandoned; `hurry` limits it to a minute. Never rejects. */
  written: Promise<unknown>;
  hurry(): void;
}

/** Of an attempt without a log. */
export const NO_REST: RestOfAttempt = { written: Promise.resolve(), hurry: () => {} };
/** For the rest of the log after the verdict is recorded, in ms. */
const REST_MS = 60_000;

/**
 * One attempt from its variables to its verdict, the same for every runner: log, files and setup, the runner within the
 * test's time limit, then what it has left.
 * @param conclude records the verdict (`stopped` when the signal was aborted). The log is written first, unless
 *   that takes long: a verdict does not wait for a log
 * @returns the result of `conclude`
 */
export async function runAttempt<T = AttemptVerdict>(
  deps: RunAttemptDeps,
  run: TestRun,
  delivery: Delivery,
  signal: AbortSignal,
  conclude: (verdict: AttemptVerdict, rest: RestOfAttempt) => Promise<T> = async (verdict, rest) => (
    await rest.written,
    verdict as T
  ),
): Promise<T> {
  const variables = await keepTrying(() => deps.variablesOf(run), signal);
  if ('unreadable' in variables)
    return conclude({ status: 'error', errorCode: variables.errorCode, errorMessage: variables.unreadable }, NO_REST);
  const mask = createSecretMask(variables.secrets);
  const log = deps.openLog(run._id, delivery, signal, mask);
  const steps = deps.openSteps(run, delivery, mask);
  const masked = (text: string) => mask?.text(text) ?? text;
  const artifacts = deps.artifactsOf(run, delivery, { log, mask: masked, signal });
  const giveUp = new AbortController();
  let closing: Promise<unknown> | undefined;
  const close = () => (closing ??= Promise.all([steps.close(), log.close(giveUp.signal)]));
  let timer: NodeJS.Timeout | undefined;
  try {
    if (delivery.delivery > 1)
      await log.write('system', `Restarted by ${deps.worker}: the previous worker was lost or shut down.\n`);
    const verdict = await runInWorkspace(deps, run, delivery, {
      runId: run._id,
      projectId: run.projectId,
      testId: run.targetId,
      number: delivery.attempt,
      variables: { ...run.definition.env, ...variables.values },
      mask: masked,
      log,
      steps,
      artifacts,
      signal,
    });
    const notes = [...(verdict.notes ?? []), ...artifacts.notes()];
    const shown: AttemptVerdict = {
      ...verdict,
      ...(verdict.errorMessage ? { errorMessage: masked(verdict.errorMessage) } : {}),
      ...(notes.length > 0 ? { notes: notes.map(masked) } : {}),
    };
    return await conclude(shown, {
      written: close(),
      hurry: () => void (timer ??= setTimeout(() => giveUp.abort(), REST_MS)),
    });
  } finally {
    await close();
    clearTimeout(timer);
  }
}

/** An undefined variable is handled the same way for every runner type. */
function verdictOnMissingVariable(error: unknown): AttemptVerdict {
  if (!(error instanceof VariableMissingError)) throw error;
  return { status: 'error', errorCode: 'VARIABLE_MISSING', errorMessage: error.message };
}

async function runInWorkspace(
  deps: RunAttemptDeps,
  run: TestRun,
  delivery: Delivery,
  surroundings: Omit<Attempt, 'folder'>,
): Promise<AttemptVerdict> {
  const { definition } = run;
  const workspace = await deps.openWorkspace(run, surroundings);
  if ('status' in workspace) return workspace;
  try {
    const { folder, closedFolders = [], commit, sandbox } = workspace;
    const attempt: Attempt = { ...surroundings, folder, closedFolders, sandbox };
    const runner = deps.runnerOf(definition);
    const begunAt = Date.now();
    const verdict = await withTimeLimit(definition.timeoutMs, surroundings.signal, (within) =>
      runner.run(definition, { ...attempt, signal: within }).catch(verdictOnMissingVariable),
    );
    const ended = await deps.collectOutputs(run, delivery, attempt, verdict, begunAt);
    return commit === undefined ? ended : { ...ended, commit };
  } finally {
    await workspace.close();
  }
}
