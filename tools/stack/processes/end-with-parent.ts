import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Reads the process groups to end, one line with all of them at each change; the last line counts once the pipe
 * closes, which it does however we end, SIGKILL included. A shell, because it costs 1 MB and not 40.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups=
while IFS= read -r line; do groups=$line; done
left() { for group in $groups; do kill -s 0 -- "-$group" && return 0; done; return 1; }
for group in $groups; do kill -s TERM -- "-$group"; done
tries=0
while left; do
  tries=$((tries + 1))
  if [ $tries -gt 25 ]; then
    for group in $groups; do kill -s KILL -- "-$group"; done
    exit
  fi
  sleep 0.2
done
`;

const protectedGroups = new Set<number>();
let pipe: Writable | undefined;

/** Sees to it that this process group ends when our own process is gone, whatever ended us. */
export function endWithUs(group: number): void {
  protectedGroups.add(group);
  tellGuard();
}

/** The group has ended by itself: its number may soon be another's. */
export function forget(group: number): void {
  protectedGroups.delete(group);
  tellGuard();
}

function tellGuard(): void {
  pipe ??= startGuard();
  pipe.write(`${[...protectedGroups].join(' ')}\n`);
}

function startGuard(): Writable {
  const guard = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without its guard the stack runs as well; only a SIGKILL of the supervisor would then leave processes behind,
  // which the next start ends.
  guard.once('error', () => undefined);
  guard.stdin.once('error', () => (pipe = undefined));
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard.stdin;
}
