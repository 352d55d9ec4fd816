import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { within } from '#src/lib/within.js';
import { programArguments } from './program-arguments.js';

/** Starting takes a few milliseconds, but seconds on an overloaded machine. */
const LAUNCH_MS = 30_000;

export interface Launch {
  /** Program and arguments; started without a shell. */
  command: string[];
  /** Prefix for the command line: a program that does something first and then executes the command. */
  prefix?: string[] | undefined;
  cwd: string;
  env: Record<string, string>;
}

/** Why a process could not be started, with the system's error code. */
export type LaunchFailure = Pick<NodeJS.ErrnoException, 'code' | 'message'>;

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export type LaunchRequest = Launch & { id: number };
export type LauncherMessage =
  { id: number; pid: number } | { id: number; failure: LaunchFailure } | { id: number; exit: ProcessExit };

/** A test's root process, the leader of its own process group. */
export interface TestProcess {
  pid: number;
  stdout: Readable;
  stderr: Readable;
  /** Rejects with LauncherLostError if the exit can no longer be reported. */
  exited: Promise<ProcessExit>;
}

/** The launcher exited, so the exits of its tests are unknown. */
export class LauncherLostError extends Error {
  override name = 'LauncherLostError';
  constructor(how: unknown) {
    super(`The launcher process of this worker exited (${String(how)}). Its tests are stopped and run again.`);
  }
}

/** Starts test processes for a worker from a small separate process (see launcher-process). */
export interface Launcher {
  /** Folder of the launcher, to be removed if the worker dies. */
  folder: string;
  /** Starts a process in its own group. @throws LauncherLostError; the process may have started nevertheless */
  launch(launch: Launch): Promise<TestProcess | LaunchFailure>;
  /** Stops the launcher and the processes that it started. */
  stop(): Promise<void>;
}

/**
 * The launcher process starts with the first test, and again after it was lost.
 * @param launchMs maximum time for the start of a process, in ms; a slower launcher is killed
 */
export async function createLauncher(launchMs = LAUNCH_MS): Promise<Launcher> {
  const folder = await mkdtemp(join(tmpdir(), 'runhook-worker-'));
  const socketPath = join(folder, 'output');
  /** By launch id. `started`, `stdout`, `stderr` and `exit` each occur once, in any order. */
  const launches = new Map<number, EventEmitter>();
  const server = createServer((socket) => readHeader(socket, (id, name) => launches.get(id)?.emit(name, socket)));
  await once(server.listen(socketPath).unref(), 'listening');
  let current: ChildProcess | undefined;
  let lastId = 0;

  function startProgram(): ChildProcess {
    const child = spawn(process.execPath, programArguments('launcher-process', socketPath), {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const onLost = (how: unknown) => {
      if (current === child) current = undefined;
      const lost = [...launches.values()];
      launches.clear();
      for (const events of lost) events.emit('error', new LauncherLostError(how));
    };
    child.unref();
    child.on('message', (message) => onMessage(message as LauncherMessage));
    child.on('error', onLost);
    child.once('exit', (code, signal) => onLost(signal ?? code));
    return child;
  }

  function onMessage(message: LauncherMessage): void {
    const events = launches.get(message.id);
    if ('exit' in message) events?.emit('exit', message.exit);
    else events?.emit('started', message);
  }

  function forget(id: number): void {
    launches.delete(id);
    // Only running tests keep the worker's event loop alive.
    if (launches.size === 0) current?.channel?.unref();
  }

  return {
    folder,

    async launch(launch) {
      const id = ++lastId;
      const events = new EventEmitter();
      launches.set(id, events);
      const started = once(events, 'started') as Promise<[Exclude<LauncherMessage, { exit: ProcessExit }>]>;
      const outputs = [once(events, 'stdout'), once(events, 'stderr')] as Promise<[Socket]>[];
      const exited = once(events, 'exit').then(([exit]) => exit as ProcessExit);
      void Promise.allSettled([...outputs, exited]).then(() => forget(id));
      current ??= startProgram();
      current.channel?.ref();
      current.send({ id, ...launch } satisfies LaunchRequest);

      try {
        const [message] = await within(launchMs, 'The start of a process', started);
        if ('pid' in message) {
          const sockets = within(launchMs, 'The output of a process', Promise.all(outputs));
          const [[stdout], [stderr]] = (await sockets) as [[Socket], [Socket]];
          return { pid: message.pid, stdout, stderr, exited };
        }
        discard(outputs);
        forget(id);
        return message.failure;
      } catch (error) {
        discard(outputs);
        if (error instanceof LauncherLostError) throw error;
        // It may still start the process, unsupervised. Killing the launcher kills the process too.
        current?.kill('SIGKILL');
        throw new LauncherLostError((error as Error).message);
      }
    },

    async stop() {
      server.close();
      if (current?.connected) {
        const ended = once(current, 'exit');
        current.ref();
        current.disconnect();
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Closes connections that were or will be opened for a failed launch. */
function discard(outputs: Promise<[Socket]>[]): void {
  for (const output of outputs)
    output.then(
      ([socket]) => socket.destroy(),
      () => {},
    );
}

/** Reads the first line of a connection, which identifies the stream. Unclaimed connections are closed. */
function readHeader(socket: Socket, claim: (id: number, name: string) => boolean | undefined): void {
  socket.on('error', () => {}); // The reader of the stream handles errors.
  socket.on('readable', function read() {
    const chunk = socket.read() as Buffer | null;
    if (!chunk) return;
    const end = chunk.indexOf('\n');
    const [id, name = ''] = chunk.toString('latin1', 0, end).split(' ');
    socket.off('readable', read);
    if (end + 1 < chunk.length) socket.unshift(chunk.subarray(end + 1));
    if (!claim(Number(id), name)) socket.destroy();
  });
}
