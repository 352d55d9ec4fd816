import type { DocPage } from './library.js';

/** A section of a page that contains every word of a search. */
export interface DocHit {
  slug: string;
  anchor: string;
  page: string;
  heading: string;
  /** A part of its text around the first word; every second piece is a word that was searched for. */
  excerpt: string[];
}

const MAX_HITS = 30;
const EXCERPT_LENGTH = 200;

/** Finds sections that contain every word, those with the words in their heading first. */
export function searchDocs(pages: Iterable<DocPage>, query: string): DocHit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const hits: { hit: DocHit; score: number }[] = [];
  for (const page of pages)
    for (const { heading, anchor, text } of page.sections) {
      const found = scoreOf(
        words,
        [page.title, heading, text].map((part) => part.toLowerCase()),
      );
      // A decision ranks below the page that it explains.
      const score = page.slug.startsWith('decisions/') ? found / 2 : found;
      if (score > 0)
        hits.push({
          hit: { slug: page.slug, anchor, page: page.title, heading, excerpt: excerptOf(text, words) },
          score,
        });
    }
  return hits
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_HITS)
    .map(({ hit }) => hit);
}

function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, 10);
}

/** @returns 0 when a word is missing */
function scoreOf(words: string[], [page, heading, text]: string[]): number {
  let score = 0;
  for (const word of words) {
    if (heading!.includes(word)) score += 20;
    else if (text!.includes(word)) score += Math.min(5, text!.split(word).length - 1);
    else if (page!.includes(word)) score += 1;
    else return 0;
    if (page!.includes(word)) score += 5;
  }
  return score;
}

/** Text around the first word that it contains, cut at the words. */
function excerptOf(text: string, words: string[]): string[] {
  const pattern = new RegExp(`(${words.map(escaped).join('|')})`, 'i');
  const at = Math.max(0, text.search(pattern));
  const start = at < EXCERPT_LENGTH / 3 ? 0 : text.lastIndexOf(' ', at - EXCERPT_LENGTH / 4) + 1;
  const end = start + EXCERPT_LENGTH;
  const cut = `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`;
  return cut.split(new RegExp(pattern, 'gi'));
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
