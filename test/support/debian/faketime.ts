import type { Say } from '#tools/stack/say.js';
import { debianFile } from './debian-file.js';

/** The path of libfaketime (80 KB). @throws NotPossibleError where it is missing and cannot be downloaded */
export const findFaketime = (say: Say) => debianFile('libfaketime', 'libfaketime.so.1', say);

/** Variables with which a process's wall clock shows so many minutes more than the machine's; its monotonic clock is true. */
export function clockAhead(library: string, minutes: number): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME: `${minutes < 0 ? '' : '+'}${minutes}m`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    // Times of files stay true.
    NO_FAKE_STAT: '1',
  };
}
