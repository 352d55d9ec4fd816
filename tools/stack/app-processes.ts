import { join } from 'node:path';
import { lastLines, startChild, type Child } from './processes/child.js';
import { waitUntil } from './processes/wait-until.js';
import { repositoryRoot } from './paths.js';

const READY_MS = 60_000;
const SET_UP_MS = 120_000;
const PROBE_MS = 2000;
/** Time for the worker to stop its running tests. */
const GRACE_MS = 9000;

export interface AppOptions {
  env: NodeJS.ProcessEnv;
  /** Folder of the log files. */
  logs: string;
  signal: AbortSignal;
}

async function startApp(
  name: string,
  script: string,
  args: string[],
  { env, logs, signal }: AppOptions,
): Promise<Child> {
  return await startChild({
    name,
    command: process.execPath,
    args: ['--enable-source-maps', join(repositoryRoot, 'dist/src/bin', script), ...args],
    env,
    logFile: join(logs, `${name.toLowerCase()}.log`),
    signal,
    graceMs: GRACE_MS,
  });
}

/** Starts the server and waits until it is ready. @throws Error with the end of its log */
export async function startServer(options: AppOptions, opsUrl: string): Promise<Child> {
  const child = await startApp('Server', 'server.js', [], options);
  return await ready(child, 'Waiting for the server to be ready', async () => {
    const answer = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  });
}

/** Starts a worker and waits until it polls. @throws Error with the end of its log */
export async function startWorker(options: AppOptions): Promise<Child> {
  const child = await startApp('Worker', 'worker.js', [], options);
  return await ready(child, 'Waiting for the worker to be ready', () => child.output().includes('"worker ready"'));
}

/** Runs `runhook setup` to its end. @throws Error with the end of its log */
export async function runSetUp(options: AppOptions): Promise<void> {
  const child = await startApp('Setup', 'runhook.js', ['setup'], options);
  const late = setTimeout(() => void child.stop(), SET_UP_MS);
  const how = await child.exited;
  clearTimeout(late);
  if (how !== 'exit code 0') throw new Error(`\`runhook setup\` failed (${how}):\n${lastLines(child)}`);
}

async function ready(child: Child, what: string, check: () => Promise<boolean> | boolean): Promise<Child> {
  try {
    await waitUntil(what, check, { timeoutMs: READY_MS, ended: child.exited });
    return child;
  } catch (error) {
    await child.stop();
    throw new Error(`${(error as Error).message}\n${lastLines(child)}`, { cause: error });
  }
}
