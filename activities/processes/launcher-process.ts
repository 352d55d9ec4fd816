import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { findProgram } from './find-program.js';
import type { LaunchRequest, LauncherMessage } from './launcher.js';

/*
 * Entry point of the launcher, which starts the processes of a worker's tests. The cost of a fork grows with the memory
 * of the forking process: a worker of 300 MB would block for 10 ms each time, this small process for 1 ms. Output of
 * tests goes to the worker's socket directly. The launcher exits with its worker and kills its tests.
 */

const socketPath = process.argv[2] ?? '';
const groups = new Set<number>();

function send(message: LauncherMessage): void {
  if (process.connected) process.send!(message);
}

/** Opens a connection to the worker for output of a test; the first line identifies the stream. */
async function openOutput(line: string): Promise<Socket> {
  const socket = connect(socketPath);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(`${line}\n`, resolve));
  return socket;
}

async function launch({ id, command, prefix = [], cwd, env }: LaunchRequest): Promise<void> {
  let outputs: Socket[] = [];
  try {
    outputs = await Promise.all([openOutput(`${id} stdout`), openOutput(`${id} stderr`)]);
    if (!process.connected) return; // The worker has died, so nothing would stop the test.
    // The prefix program could not report a missing command.
    if (prefix.length > 0) findProgram(command[0] ?? '', cwd, env.PATH);
    const [program = '', ...args] = [...prefix, ...command];
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', ...outputs] });
    const { pid } = child;
    if (pid === undefined) {
      const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
      return send({ id, failure: { code: error.code, message: error.message } });
    }
    groups.add(pid);
    send({ id, pid });
    child.once('exit', (code, signal) => {
      groups.delete(pid);
      send({ id, exit: { code, signal } });
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    send({ id, failure: { code, message } });
  } finally {
    // The test has its own copies.
    for (const socket of outputs) socket.destroy();
  }
}

function endAll(): void {
  for (const pgid of groups) {
    try {
      process.kill(-pgid, 'SIGKILL');
    } catch {
      // Already exited.
    }
  }
  process.exit();
}

process.title = 'runhook-launcher';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (request: LaunchRequest) => void launch(request));
process.once('disconnect', endAll);
