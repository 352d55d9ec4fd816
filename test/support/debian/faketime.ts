import type { Log } from '#tools/stack/log.js';
import { debianFile } from './debian-file.js';

/** The path of libfaketime (80 KB). @throws NotPossibleError where it is missing and cannot be downloaded */
export const findFaketime = (log: Log) => debianFile('libfaketime', 'libfaketime.so.1', log);

/** Variables that set a process's wall clock ahead, but not its monotonic clock. */
export function clockAhead(library: string, minutes: number): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME: `${minutes < 0 ? '' : '+'}${minutes}m`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    // File times are not changed.
    NO_FAKE_STAT: '1',
  };
}
