import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Connection } from '@temporalio/client';
import { searchAttributes } from '#workflows/messages.js';
import { lastLines, startChild, type Child } from '#tools/stack/processes/child.js';
import { waitUntil } from '#tools/stack/processes/wait-until.js';
import { checkFree, freePort } from '#tools/stack/ports.js';
import { logToStderr, type Log } from '#tools/stack/log.js';
import { findTemporal } from './find-temporal.js';

const READY_MS = 60_000;
const TRIES = 3;
const CALL_MS = 2000;
/** Durable at every commit, and twice as fast as SQLite's default journal. */
const DURABLE = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=2'];

/** The same as temporal-config/dynamic-config.yaml. */
const DYNAMIC_CONFIG = {
  'matching.enableFairness': 'true',
  'matching.numTaskqueueWritePartitions': '1',
  'matching.numTaskqueueReadPartitions': '1',
  'history.taskSchedulerEnableExecutionQueueScheduler': 'true',
};

export interface TemporalOptions {
  /** Default: any free ports. */
  port?: number;
  uiPort?: number;
  /** SQLite file; default: in memory. */
  dataFile?: string;
  /** Names of Keyword attributes; default: Runhook's. */
  searchAttributes?: string[];
  /** Adds to or overrides DYNAMIC_CONFIG; values are JSON. */
  dynamicConfig?: Record<string, string>;
  /** The `temporal` executable; default: the result of `findTemporal`. */
  binary?: string;
  logFile?: string;
  env?: NodeJS.ProcessEnv;
  /** Stops the process in any state. */
  signal?: AbortSignal;
  log?: Log;
}

export interface RunningTemporal {
  address: string;
  uiUrl: string;
  port: number;
  uiPort: number;
  /** The `temporal` executable. */
  binary: string;
  pid: number;
  child: Child;
  stop(): Promise<void>;
}

/** Another program took the port before Temporal could use it. */
class PortTakenError extends Error {
  override name = 'PortTakenError';
}

/**
 * Starts a Temporal dev server on 127.0.0.1, namespace `default`, and waits until it is ready. A restart with the same file
 * keeps the data, also after a SIGKILL. Ignores TEMPORAL_ADDRESS.
 * @throws Error with the end of its output when it does not become ready
 */
export async function startTemporal(options: TemporalOptions = {}): Promise<RunningTemporal> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(options);
    } catch (error) {
      const mayChoose = options.port === undefined && options.uiPort === undefined;
      if (!(error instanceof PortTakenError && mayChoose) || tries === TRIES) throw error;
    }
  }
}

async function startOnce(options: TemporalOptions): Promise<RunningTemporal> {
  const { dataFile, log = logToStderr } = options;
  const binary = options.binary ?? (await findBinary(log));
  const port = options.port ?? (await freePort());
  const uiPort = options.uiPort ?? (await freePort());
  await Promise.all([checkFree(port), checkFree(uiPort)]);
  if (dataFile) mkdirSync(dirname(dataFile), { recursive: true });
  const child = await startChild({
    name: 'Temporal',
    command: binary,
    args: argumentsFor(options, port, uiPort),
    logFile: options.logFile ?? defaultLogFile(dataFile),
    env: options.env,
    signal: options.signal,
  });
  const address = `127.0.0.1:${port}`;
  try {
    const ready = { timeoutMs: READY_MS, ended: child.exited };
    await waitUntil(`Waiting for Temporal on port ${port}`, () => serves(address), ready);
  } catch (error) {
    await child.stop();
    const isTaken = child.output().includes('address already in use');
    throw new (isTaken ? PortTakenError : Error)(`${(error as Error).message}\n${lastLines(child)}`, { cause: error });
  }
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  return { address, uiUrl, port, uiPort, binary, pid: child.pid, child, stop: () => child.stop() };
}

function argumentsFor(options: TemporalOptions, port: number, uiPort: number): string[] {
  const names = options.searchAttributes ?? Object.values(searchAttributes).map((key) => key.name);
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
    ...['--log-level', 'warn', '--log-format', 'json'],
    ...Object.entries({ ...DYNAMIC_CONFIG, ...options.dynamicConfig }).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${value}`,
    ]),
    ...names.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...(options.dataFile ? ['--db-filename', options.dataFile, ...DURABLE] : []),
  ];
}

async function findBinary(log: Log): Promise<string> {
  const found = await findTemporal(log, { ...process.env, TEMPORAL_ADDRESS: undefined });
  if (found.kind === 'address') throw new Error('unreachable: TEMPORAL_ADDRESS was not offered');
  return found.path;
}

function defaultLogFile(dataFile: string | undefined): string {
  const folder = dataFile ? join(dirname(dataFile), 'logs') : mkdtempSync(join(tmpdir(), 'runhook-temporal-'));
  return join(folder, 'temporal.log');
}

async function serves(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: CALL_MS });
  try {
    await connection.withDeadline(Date.now() + CALL_MS, () =>
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    );
    return true;
  } finally {
    await connection.close();
  }
}
