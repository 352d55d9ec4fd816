/* Files that are kept with a run. */

/** Files of one run at most, of all its attempts. */
export const FILES_MAX = 1000;

/** What may be kept, in bytes. */
export interface ArtifactLimits {
  fileBytes: number;
  /** Of all attempts of a run together. */
  runBytes: number;
  /** Of all runs of a project that has no limit of its own. */
  projectBytes: number;
}

/** The delivery of an attempt that a file is of. */
export interface ArtifactPlace {
  runId: string;
  projectId: string;
  attempt: number;
  delivery: number;
}

const LONGEST_NAME = 1000;
const LONGEST_PART_BYTES = 255;
/** Control characters, what turns the direction of text around or is not seen, and half surrogate pairs. */
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\\]|\p{Surrogate}/gu;

/**
 * A file's name as it is kept and may be written to any disk: relative, with `/` between its parts, no `.` or `..`, nothing
 * that cannot be seen, no part over 255 bytes.
 * @returns undefined when it is none: empty, absolute, too long, or it leads out of its folder
 */
export function artifactName(name: string): string | undefined {
  if (name.startsWith('/') || name.length > LONGEST_NAME) return undefined;
  const parts = name
    .replace(UNSHOWABLE, '_')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const isUsable = parts.every((part) => part !== '..' && Buffer.byteLength(part) <= LONGEST_PART_BYTES);
  return parts.length > 0 && isUsable ? parts.join('/') : undefined;
}

/** The first of `a.png`, `a (2).png`, `a (3).png`… that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [, stem, extension] = /^(.*?[^/])(\.[^./]*)?$/s.exec(name)!;
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${stem} (${number})${extension ?? ''}`;
    if (!isTaken(tried)) return tried;
  }
}
