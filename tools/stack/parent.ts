import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;

/**
 * Calls back when what started us is gone: a SIGKILLed `npm start` must not leave the stack running. Only under npm (or
 * `npm run dev`, which keeps a channel open); started by hand, people may want it to live on.
 */
export function onParentGone(callback: () => void): void {
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
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** Our parent's pid; also its parent's when it is the shell through which npm runs scripts (on Linux it stays). */
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
    return undefined; // Not Linux, or just gone, which our own parent's pid tells.
  }
}
