import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { findProgram } from './find-program.js';
import type { LaunchRequest, LauncherMessage } from './launcher.js';

/*
 * A program of its own: starts the processes of a worker's tests. To start a process is to fork, and a fork costs the
 * more the more memory the forking process has: a worker of 300 MB would stand still for 10 ms each time, this small
 * program for 1 ms. What a test prints goes to the worker's socket directly. Ends with its worker, and its tests with it.
 */

const socketPath = process.argv[2] ?? '';
const groups = new Set<number>();

function tell(message: LauncherMessage): void {
  if (process.connected) process.send!(message);
}

/** A connection to the worker that the test has for its output; the first line says whose it is. */
async function openOutput(line: string): Promise<Socket> {
  const socket = connect(socketPath);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(`${line}\n`, resolve));
  return socket;
}

async function launch({ id, command, via = [], cwd, env }: LaunchRequest): Promise<void> {
  let outputs: Socket[] = [];
  try {
    outputs = await Promise.all([openOutput(`${id} stdout`), openOutput(`${id} stderr`)]);
    if (!process.connected) return; // The worker has died: nobody would end the test.
    // Of what it becomes, the program before it could not tell us that it is not there.
    if (via.length > 0) findProgram(command[0] ?? '', cwd, env.PATH);
    const [program = '', ...args] = [...via, ...command];
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', ...outputs] });
    const { pid } = child;
    if (pid === undefined) {
      const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
      return tell({ id, failure: { code: error.code, message: error.message } });
    }
    groups.add(pid);
    tell({ id, pid });
    child.once('exit', (code, signal) => {
      groups.delete(pid);
      tell({ id, exit: { code, signal } });
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    tell({ id, failure: { code, message } });
  } finally {
    // The test has its own.
    for (const socket of outputs) socket.destroy();
  }
}

function endAll(): void {
  for (const pgid of groups) {
    try {
      process.kill(-pgid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  process.exit();
}

process.title = 'runhook-launcher';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (request: LaunchRequest) => void launch(request));
process.once('disconnect', endAll);
