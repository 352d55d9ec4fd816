import { join } from 'node:path';
import type { CaseCounts } from '../../src/domain/test-case.js';
import { findFiles } from './find-files.js';
import type { JunitCase } from './junit-case.js';
import { createJunitParser } from './junit-parser.js';
import { createCaseKeeper } from './keep-case.js';
import { readText, UnreadableError } from './read-text.js';

/** Of all files of an attempt together. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_NOTES = 10;

/** What the files of an attempt say. */
export interface Results {
  /** In the order of the files; no more than are kept. */
  cases: JunitCase[];
  /** Of all. */
  counts: CaseCounts;
  /** The first that did not pass, in words: `Cart › adds an item`. */
  failed: string[];
  /** What is missing, was left out or could not be read. */
  notes: string[];
}

export interface ResultsPlace {
  /** The attempt's, absolute. */
  folder: string;
  /** When the attempt began, in ms since 1970. */
  since: number;
  mask(text: string): string;
  signal: AbortSignal;
}

/**
 * Reads the JUnit files that match a glob. What is odd becomes a note; what was read before it stands. Secrets are masked.
 * @throws AbortError
 */
export async function readJunit(glob: string, { folder, since, mask, signal }: ResultsPlace): Promise<Results> {
  const { paths, notes } = await findFiles(glob, { folder, since, signal });
  const keeper = createCaseKeeper(mask);
  let bytesLeft = MAX_BYTES;
  for (const path of paths) {
    const before = keeper.seen();
    const parser = createJunitParser(keeper.add);
    let isReplaced = false;
    let isCut = false;
    const onCut = () => {
      isCut = true;
      notes.push(`${path} is not read to its end: the results of an attempt are read up to 64 MiB.`);
    };
    try {
      for await (const { text, bytes } of readText(join(folder, path), { maxBytes: bytesLeft, onCut, signal })) {
        bytesLeft -= bytes;
        isReplaced ||= text.includes('\ufffd');
        parser.write(text);
      }
      if (!isCut) parser.end();
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      const kept = keeper.seen() - before;
      notes.push(
        `${path} ${error.message}${kept > 0 ? `; the ${kept === 1 ? 'case' : `${kept} cases`} before it ${kept === 1 ? 'is' : 'are'} kept` : ''}.`,
      );
    }
    if (isReplaced) notes.push(`${path} has bytes that are not in its encoding; they are shown as \ufffd.`);
  }
  if (paths.length > 0 && keeper.seen() === 0 && notes.length === 0)
    notes.push(`The files that match ${glob} hold no case.`);
  const { cases, counts, failed, notes: keeping } = keeper.kept();
  const all = [...notes, ...keeping].map((note) => mask(note).slice(0, 1000));
  const more = all.length - MAX_NOTES;
  return {
    cases,
    counts,
    failed,
    notes: more > 0 ? [...all.slice(0, MAX_NOTES), `There are ${more} more such notes.`] : all,
  };
}
