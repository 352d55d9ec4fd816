import { noCases, type CaseCounts } from '#src/domain/runs/test-case.js';
import type { JunitCase } from './junit-case-reader.js';

const MAX_CASES = 20_000;
/** Maximum length of a name, group or message, in characters. */
const LINE = 500;
const DETAILS = 32 * 1024;
const OUTPUT = 16 * 1024;
/** Total of all details and outputs of an attempt. */
const TEXTS = 8 * 1024 * 1024;
/** Number of failed cases named in a message. */
const NAMED = 3;

/** Counts cases and collects them within limits, with secrets masked. @param mask see Attempt */
export function createCaseKeeper(mask: (text: string) => string) {
  const cases: JunitCase[] = [];
  const counts = noCases();
  const failed: string[] = [];
  let seen = 0;
  let textLeft = TEXTS;
  let isTextCut = false;

  /** Masks before it truncates: half a secret would not be recognized. */
  function line(text: string): string {
    const masked = mask(text).replace(/[\r\n]+/g, ' ');
    return copy(masked.length > LINE ? `${masked.slice(0, LINE - 1)}…` : masked);
  }

  function long(text: string | undefined, maxLength: number): string | undefined {
    if (text === undefined) return undefined;
    if (textLeft <= 0) {
      isTextCut = true;
      return undefined;
    }
    const masked = mask(text);
    const more = masked.length - maxLength;
    const kept = copy(more > 0 ? `${masked.slice(0, maxLength)}\n… truncated after ${maxLength / 1024} KiB` : masked);
    textLeft -= kept.length;
    return kept;
  }

  return {
    add(found: JunitCase): void {
      seen++;
      counts[found.status]++;
      const isBad = found.status === 'failed' || found.status === 'error';
      if (isBad && failed.length < NAMED)
        failed.push(line(found.group ? `${found.group} › ${found.name}` : found.name));
      if (seen > MAX_CASES) return;
      const { group, name, status, durationMs, message } = found;
      const details = long(found.details, DETAILS);
      const output = long(found.output, OUTPUT);
      cases.push({
        group: line(group),
        name: line(name),
        status,
        ...(durationMs === undefined ? {} : { durationMs }),
        ...(message === undefined ? {} : { message: line(message) }),
        ...(details === undefined ? {} : { details }),
        ...(output === undefined ? {} : { output }),
      });
    },
    seen: () => seen,
    collected(): { cases: JunitCase[]; counts: CaseCounts; failed: string[]; notes: string[] } {
      const notes: string[] = [];
      if (seen > MAX_CASES)
        notes.push(
          `The first ${MAX_CASES.toLocaleString('en')} of ${seen.toLocaleString('en')} cases are listed; all are counted.`,
        );
      if (isTextCut) notes.push(`Failure messages and output beyond ${TEXTS / 1024 / 1024} MiB in total were omitted.`);
      return { cases, counts, failed, notes };
    },
  };
}

/** A slice keeps the whole text in memory; a copy does not. */
function copy(text: string): string {
  return Buffer.from(text).toString();
}
