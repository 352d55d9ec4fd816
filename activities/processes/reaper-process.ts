import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroups, groupsBelow } from '#activities/limits/group-files.js';
import { killProcess, processesOf } from './proc-scan.js';

/*
 * A program of its own: outlives its worker by two seconds, to end what the worker's tests have left. Reads from stdin,
 * a line each: `+<pgid>` a test has started, `-<pgid>` it has ended, `bye` the worker ends in good order. The end of
 * stdin without `bye` is the worker's death. Imports Node's own modules only: one runs beside every worker.
 */

const LOOKS = 10;
const BETWEEN_LOOKS_MS = 200;

const [, , workerId = '', folder = '', ...groupFolders] = process.argv;
const groups = new Set<number>();
let inGoodOrder = false;
let unread = '';

function onLine(line: string): void {
  const pgid = Number(line.slice(1));
  if (line === 'bye') inGoodOrder = true;
  else if (line.startsWith('+')) groups.add(pgid);
  else groups.delete(pgid);
}

function killAll(): Promise<void> {
  for (const pgid of groups) killProcess(-pgid);
  for (const pids of processesOf(workerId).values()) pids.forEach(killProcess);
  return endGroups(
    groupFolders.flatMap((folder) => groupsBelow(folder, (id) => id === workerId)),
    BETWEEN_LOOKS_MS,
  );
}

/** Looks again and again: a test may have been started in the very moment of the worker's death. */
async function reap(): Promise<void> {
  await killAll();
  groups.clear(); // Their ids may be given to others from now on.
  for (let look = 1; look < LOOKS && !inGoodOrder; look++) {
    await sleep(BETWEEN_LOOKS_MS);
    await killAll();
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit();
}

process.title = 'runhook-reaper';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.setEncoding('latin1');
process.stdin.on('data', (chunk: string) => {
  const lines = (unread + chunk).split('\n');
  unread = lines.pop() ?? '';
  lines.forEach(onLine);
});
process.stdin.on('error', () => {}); // 'close' follows.
process.stdin.once('close', () => void reap());
