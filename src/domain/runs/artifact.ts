/** Maximum number of files of a run, for all attempts. */
export const FILES_MAX = 1000;

export interface ArtifactLimits {
  fileBytes: number;
  /** For all attempts of a run together. */
  runBytes: number;
  /** For all runs of a project without its own limit. */
  projectBytes: number;
}

/** The delivery of an attempt that a file belongs to. */
export interface ArtifactPlace {
  runId: string;
  projectId: string;
  attempt: number;
  delivery: number;
}

const LONGEST_NAME = 1000;
const LONGEST_PART_BYTES = 255;
/** Control, bidirectional and invisible characters, and lone surrogates. */
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\\]|\p{Surrogate}/gu;

/**
 * A file name that is safe on any disk: relative, `/` as separator, no `.` or `..`, no invisible characters, and parts of
 * at most 255 bytes.
 * @returns undefined when it is empty, absolute, too long, or outside its folder
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
