import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroups, groupsBelow } from '#activities/limits/group-files.js';
import { killProcess, processesOf } from './proc-scan.js';

/*
 * Entry point of the reaper, which outlives its worker by two seconds and kills what the worker's tests left running.
 * Reads lines from stdin: `+<pgid>` a test has started, `-<pgid>` it has ended, `bye` the worker exits in an orderly
 * way. If stdin closes without `bye`, the worker has died. Imports only Node's own modules to stay small: every worker
 * has a reaper.
 */

const SCANS = 10;
const BETWEEN_SCANS_MS = 200;

const [, , workerId = '', folder = '', ...groupFolders] = process.argv;
const groups = new Set<number>();
let isOrderly = false;
let unread = '';

function onLine(line: string): void {
  const pgid = Number(line.slice(1));
  if (line === 'bye') isOrderly = true;
  else if (line.startsWith('+')) groups.add(pgid);
  else groups.delete(pgid);
}

function killAll(): Promise<void> {
  for (const pgid of groups) killProcess(-pgid);
  for (const pids of processesOf(workerId).values()) pids.forEach(killProcess);
  return endGroups(
    groupFolders.flatMap((folder) => groupsBelow(folder, (id) => id === workerId)),
    BETWEEN_SCANS_MS,
  );
}

/** Repeats the scan, because the launcher may have started a test at the moment of the worker's death. */
async function reap(): Promise<void> {
  await killAll();
  groups.clear(); // Their ids can be reused from now on.
  for (let scan = 1; scan < SCANS && !isOrderly; scan++) {
    await sleep(BETWEEN_SCANS_MS);
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
