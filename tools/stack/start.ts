import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { createIsolation } from '#activities/isolation/isolation.js';
import { LockHeldError, takeLock } from '#scripts/lib/lock.mjs';
import { parseArguments, USAGE, UsageError, type StartOptions } from './args.js';
import { banner } from './banner.js';
import { stopLeftovers } from './leftovers.js';
import { onParentExit } from './parent.js';
import { repositoryRoot, stackPaths } from './paths.js';
import { logToStderr } from './log.js';
import { removeStackFile, type StackInfo } from './stack-file.js';
import { Stack } from './stack.js';

/** Timeout of a stop; the guard then kills what is still running. */
const STOP_MS = 14_500;
/** npm forwards a Ctrl-C that this process has already received, so only a later signal counts as a second one. */
const SAME_SIGNAL_MS = 1000;

// `npm start`
try {
  const options = parseArguments(process.argv.slice(2), repositoryRoot);
  if (options.help) process.stdout.write(USAGE);
  else await run(options);
} catch (error) {
  console.error(`\n${error instanceof UsageError ? `${error.message}\n\n${USAGE}` : (error as Error).message}`);
  process.exitCode = 1;
}

async function run(options: StartOptions): Promise<void> {
  const begin = Date.now();
  const paths = stackPaths(options.dataDir);
  takeStackLock(paths.lock, paths.stackFile);
  removeStackFile(paths.stackFile);
  await stopLeftovers(options.dataDir, logToStderr);

  const stack = new Stack(options, process.env, logToStderr);
  const stop = stopper(stack);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  onParentExit(() => stop(0));
  process.on('message', (message) => void (message === 'restart' && stack.restartApps()));
  try {
    const { temporal, mongodb, baseUrl, projects, admin } = await stack.start();
    const shown = (path: string) => relative(process.cwd(), path) || path;
    const facts = {
      baseUrl,
      temporalUiUrl: temporal.uiUrl,
      temporal: temporal.origin,
      mongodb: mongodb.origin,
      isolation: await isolationOf(options.dataDir),
      projects,
      admin,
    };
    const folders = { logs: shown(paths.logs), dataDir: shown(options.dataDir) };
    console.log(banner({ ...facts, ...folders, tookMs: Date.now() - begin }));
  } catch (error) {
    if (!stop.begun) console.error(`\nStarting the stack failed. ${(error as Error).message}\n`);
    stop(1);
  }
}

/** The isolation level of the worker, which has the same environment. */
async function isolationOf(folder: string): Promise<string> {
  const requested = process.env.RUNHOOK_ISOLATION === 'none' ? 'none' : 'auto';
  const { level, reason } = await createIsolation({ requested, toolFolders: [], folder });
  return reason === undefined ? level : `${level}: ${reason}`;
}

/** Held until this process exits, which makes the lock stale. */
function takeStackLock(lock: string, stackFile: string): void {
  try {
    const release = takeLock(lock);
    process.once('exit', release);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const at = existsSync(stackFile)
      ? (JSON.parse(readFileSync(stackFile, 'utf8')) as StackInfo).baseUrl
      : 'still starting';
    throw new Error(
      `Runhook is already running in this folder (process ${error.pid}): ${at}\nStop it first, or use --data-dir.`,
    );
  }
}

/** A function that stops the stack and this process; a later second call exits immediately. */
function stopper(stack: Stack) {
  const stop = (status: number) => {
    if (stop.begun) {
      if (Date.now() - stop.begun > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    stop.begun = Date.now();
    logToStderr('Stopping…');
    setTimeout(() => process.exit(1), STOP_MS).unref();
    stack.stop().then(
      () => process.exit(status),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  stop.begun = 0;
  return stop;
}
