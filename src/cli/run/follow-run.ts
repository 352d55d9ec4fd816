import { CliError, UsageError } from '../cli-error.js';
import type { Cli } from '../cli.js';
import type { RunView } from '../api/shapes.js';
import { EXIT, exitCodeOf, type ExitCode } from '../exit-codes.js';
import { runPath } from '../find/run.js';
import { parseDuration } from '../option-values.js';
import { openReport, type ReportTarget } from '../reports/report-file.js';
import { formatSeconds } from '../text.js';
import { interruptible } from './interrupt.js';
import { showProgress } from './progress.js';
import { report } from './report.js';
import { waitForEnd } from './wait.js';

/** Node's timers end at 2^31 ms. */
const LONGEST_WAIT_MS = 2_000_000_000;

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

/** Checks the options, before anything is started. @throws UsageError */
export async function planFollowing(cli: Cli, options: FollowOptions): Promise<FollowPlan> {
  const timeoutMs = options.timeout === undefined ? undefined : parseDuration(options.timeout, '--timeout');
  if (timeoutMs !== undefined && timeoutMs > LONGEST_WAIT_MS) throw new UsageError('--timeout is at most 23d.');
  const waits = options.wait !== false;
  if (!waits && (options.outputPath || options.reporter || options.timeout))
    throw new UsageError(
      '--no-wait goes without --reporter, --output-path and --timeout: there is nothing to report yet.',
    );
  return { waits, timeoutMs, target: await openReport(options, cli.io.cwd) };
}

/**
 * Names a run, waits for its end unless told not to, and reports it.
 * @returns the exit code
 * @throws CliError when the wait ends before the run does
 */
export async function followRun(cli: Cli, run: RunView, { waits, timeoutMs, target }: FollowPlan): Promise<ExitCode> {
  const { voice } = cli;
  const ownsStdout = target.reporter !== 'inline' && target.file === undefined;
  // A report on stdout is the whole of it; scripts then find the id in there.
  (ownsStdout ? voice.warn : voice.print)(`${run.kind}RunId: ${run.id}`);
  voice.note(run.webappUrl);
  if (!waits) {
    if (ownsStdout) voice.json(run);
    return EXIT.passed;
  }
  const ended = await waitWithin(cli, run, timeoutMs);
  const exitCode = exitCodeOf(ended.status);
  try {
    await report(cli, ended, target);
    return exitCode;
  } catch (error) {
    // The verdict stands; but nothing is green of which the report is missing.
    voice.warn(`The run is ${ended.status}, and its report could not be made: ${(error as Error).message}`);
    return exitCode === EXIT.passed ? EXIT.error : exitCode;
  }
}

async function waitWithin(cli: Cli, run: RunView, timeoutMs = LONGEST_WAIT_MS): Promise<RunView> {
  const hint = `Watch it: runhook run watch ${run.id} — stop it: runhook run stop ${run.id}`;
  const stop = async () => {
    await cli.http().json({ method: 'POST', path: `${runPath(run)}stop/`, json: {}, repeatable: true });
  };
  const interrupt = interruptible(cli, stop, hint);
  const late = new AbortController();
  const timer = setTimeout(() => {
    const words = `The run was not over within ${formatSeconds(timeoutMs / 1000)}; it goes on. ${hint}`;
    late.abort(new CliError(words, EXIT.waitedTooLong));
  }, timeoutMs);
  const progress = showProgress(cli, interrupt.isAsking);
  try {
    return await waitForEnd(cli.http(), run, progress, AbortSignal.any([interrupt.signal, late.signal]));
  } catch (error) {
    if (!(error instanceof CliError) || interrupt.signal.aborted || late.signal.aborted) throw error;
    throw new CliError(`${error.message}\nThe run may go on. ${hint}`, error.exitCode, { cause: error });
  } finally {
    progress.close();
    interrupt.close();
    clearTimeout(timer);
  }
}
