import { readFileSync } from 'node:fs';

const POLL_MS = 500;

/**
 * Calls back when the parent has exited: a SIGKILLed `npm start` must not leave the stack running. Only under npm (or
 * `npm run dev`, which has a channel); a stack started directly may outlive its parent.
 */
export function onParentExit(callback: () => void): void {
  if (process.channel) {
    process.once('disconnect', callback);
    return;
  }
  if (!process.env.npm_lifecycle_event) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    callback();
  }, POLL_MS);
  timer.unref();
}

/** The parent's pid; on Linux also the grandparent's, if the parent is the shell in which npm runs scripts. */
function ancestors(): string {
  const parent = statusOf(process.ppid);
  const isShell = ['sh', 'dash', 'bash'].includes(parent?.name ?? '');
  return isShell ? `${process.ppid} ${parent?.parent}` : String(process.ppid);
}

function statusOf(pid: number): { name?: string; parent?: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { name: /^Name:\s+(\S+)/m.exec(text)?.[1], parent: /^PPid:\s+(\d+)/m.exec(text)?.[1] };
  } catch {
    return undefined; // Not Linux, or the process has just exited.
  }
}
