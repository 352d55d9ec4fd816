import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Reads the process groups to end, all on one line after each change. The last line applies when the pipe closes, which
 * happens even after a SIGKILL of this process. A shell script, because it needs 1 MB instead of 40.
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

/** Ends this process group when this process exits for any reason. */
export function guardGroup(group: number): void {
  protectedGroups.add(group);
  updateGuard();
}

/** Call it when the group has ended, because its number may be reused. */
export function releaseGroup(group: number): void {
  protectedGroups.delete(group);
  updateGuard();
}

function updateGuard(): void {
  pipe ??= startGuard();
  pipe.write(`${[...protectedGroups].join(' ')}\n`);
}

function startGuard(): Writable {
  const guard = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // The stack works without its guard; a SIGKILL of the supervisor then leaves processes, which the next start stops.
  guard.once('error', () => undefined);
  guard.stdin.once('error', () => (pipe = undefined));
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard.stdin;
}
