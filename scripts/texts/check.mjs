import { phrasesIn } from './phrases.mjs';

/**
 * @typedef {object} Hit
 * @property {string} file
 * @property {number} line
 * @property {string} area of a text its area; else `comments`, `names`, `docs`, `tests`
 * @property {string} rule
 * @property {string} found
 * @property {string} excerpt
 * @property {string} instead
 */

/**
 * The phrases that may not come back, wherever they stand.
 * @param {import('./read-texts.mjs').Written} written
 * @returns {Hit[]} sorted by area, file and line
 */
export function check({ texts, others, docs }) {
  return [
    ...texts.flatMap((one) => hitsIn(one.text, 'text', one, one.area)),
    // The texts of tests quote what users see; they change with it.
    ...others
      .filter(({ place }) => place !== 'text')
      .flatMap((one) => hitsIn(one.text, one.place, one, `${one.place}s${one.area === 'tests' ? ' of tests' : ''}`)),
    ...others.filter(({ place }) => place === 'text').flatMap((one) => hitsIn(one.text, 'text', one, 'tests')),
    ...docs.flatMap(({ file, text }) => hitsIn(text, 'docs', { file, line: 1 }, 'docs')),
  ].sort((a, b) => compare(a.area, b.area) || compare(a.file, b.file) || a.line - b.line);
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function hitsIn(text, place, { file, line }, area) {
  return phrasesIn(text, place, file).map(({ index, found, phrase }) => ({
    file,
    line: line + text.slice(0, index).split('\n').length - 1,
    area,
    rule: phrase.id,
    found: flat(found),
    excerpt: flat(text.slice(Math.max(0, index - 50), index + found.length + 50)),
    instead: phrase.instead,
  }));
}

const flat = (text) => text.replaceAll(/\s*\n\s*(\*|\/\/)?\s*/g, ' ').trim();
