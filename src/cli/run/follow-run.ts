import { CliError, UsageError } from '#src/cli/cli-error.js';
import type { Cli } from '#src/cli/cli.js';
import type { RunView } from '#src/cli/api/responses.js';
import { EXIT, exitCodeOf, type ExitCode } from '#src/cli/exit-codes.js';
import { runPath } from '#src/cli/find/find-run.js';
import { parseDuration } from '#src/cli/option-values.js';
import { openReport, type ReportTarget } from '#src/cli/reports/report-file.js';
import { formatSeconds } from '#src/cli/text.js';
import { interruptible } from './interrupt.js';
import { showProgress } from './progress.js';
import { report } from './report.js';
import { waitForEnd } from './wait.js';

/** Node's timers are limited to 2^31 ms. */
const MAX_WAIT_MS = 2_000_000_000;

/** Options of every command that waits for a run. */
export interface FollowOptions {
  /** false: `--no-wait`. */
  wait?: boolean;
  timeout?: string;
  reporter?: string;
  outputPath?: string;
  json?: boolean;
}

export interface FollowPlan {
  waits: boolean;
  timeoutMs?: number;
  target: ReportTarget;
}

/** Validates the options before anything is started. @throws UsageError */
export async function planFollowing(cli: Cli, options: FollowOptions): Promise<FollowPlan> {
  const timeoutMs = options.timeout === undefined ? undefined : parseDuration(options.timeout, '--timeout');
  if (timeoutMs !== undefined && timeoutMs > MAX_WAIT_MS) throw new UsageError('--timeout must be at most 23d.');
  const waits = options.wait !== false;
  if (!waits && (options.outputPath || options.reporter || options.timeout))
    throw new UsageError('--no-wait cannot be combined with --reporter, --output-path or --timeout.');
  return { waits, timeoutMs, target: await openReport(options, cli.io.cwd) };
}

/**
 * Prints the run ID, waits for the run to end unless disabled, and reports the result.
 * @returns the exit code
 * @throws CliError when the wait ends before the run does
 */
export async function followRun(cli: Cli, run: RunView, { waits, timeoutMs, target }: FollowPlan): Promise<ExitCode> {
  const { output } = cli;
  const ownsStdout = target.reporter !== 'inline' && target.file === undefined;
  // A report on stdout must be the only output; it contains the ID.
  (ownsStdout ? output.warn : output.print)(`${run.kind}RunId: ${run.id}`);
  output.note(run.webappUrl);
  if (!waits) {
    if (ownsStdout) output.json(run);
    return EXIT.passed;
  }
  const ended = await waitWithin(cli, run, timeoutMs);
  const exitCode = exitCodeOf(ended.status);
  try {
    await report(cli, ended, target);
    return exitCode;
  } catch (error) {
    // The verdict stands, but a run without its report must not look green.
    output.warn(
      `The run ended with status ${ended.status}, but its report could not be created: ${(error as Error).message}`,
    );
    return exitCode === EXIT.passed ? EXIT.error : exitCode;
  }
}

async function waitWithin(cli: Cli, run: RunView, timeoutMs = MAX_WAIT_MS): Promise<RunView> {
  const hint = `To watch it: runhook run watch ${run.id}. To stop it: runhook run stop ${run.id}`;
  const stop = async () => {
    await cli.http().json({ method: 'POST', path: `${runPath(run)}stop/`, json: {}, repeatable: true });
  };
  const interrupt = interruptible(cli, stop, hint);
  const late = new AbortController();
  const timer = setTimeout(() => {
    const words = `The run did not end within ${formatSeconds(timeoutMs / 1000)}. It continues. ${hint}`;
    late.abort(new CliError(words, EXIT.waitedTooLong));
  }, timeoutMs);
  const progress = showProgress(cli, interrupt.isAsking);
  try {
    return await waitForEnd(cli.http(), run, progress, AbortSignal.any([interrupt.signal, late.signal]));
  } catch (error) {
    if (!(error instanceof CliError) || interrupt.signal.aborted || late.signal.aborted) throw error;
    throw new CliError(`${error.message}\nThe run may continue. ${hint}`, error.exitCode, { cause: error });
  } finally {
    progress.close();
    interrupt.close();
    clearTimeout(timer);
  }
}
