import { extract } from './extract.mjs';
import { phrasesIn } from './phrases.mjs';

/**
 * ESLint: the phrases of `phrases.mjs` may not come back in texts, comments and names. A suggestion inserts the
 * replacement, where one wording fits.
 * @type {import('eslint').Rule.RuleModule}
 */
export const plainEnglish = {
  meta: {
    type: 'suggestion',
    hasSuggestions: true,
    schema: [],
    messages: { phrase: '“{{found}}”: write {{instead}}', replace: 'Replace with “{{replacement}}”' },
  },
  create({ filename, cwd, sourceCode, report }) {
    return {
      Program() {
        const file = filename.slice(cwd.length + 1);
        for (const { place, pos, text } of extract(filename, sourceCode.text)) {
          let from = pos;
          for (const { found, phrase } of phrasesIn(text, place, file)) {
            // A text may be written with escapes and its phrase then not be found: the whole text is reported.
            const at = sourceCode.text.indexOf(found, from);
            const start = at === -1 ? from : at;
            const range = [start, start + found.length];
            from = range[1];
            report({
              loc: { start: sourceCode.getLocFromIndex(range[0]), end: sourceCode.getLocFromIndex(range[1]) },
              messageId: 'phrase',
              data: { found, instead: phrase.instead },
              suggest: at === -1 ? [] : suggestionsFor(found, phrase, range),
            });
          }
        }
      },
    };
  },
};

function suggestionsFor(found, { replacement }, range) {
  if (replacement === undefined) return [];
  const isCapital = /^\p{Lu}/u.test(found);
  const text = isCapital ? replacement[0].toUpperCase() + replacement.slice(1) : replacement;
  const fix = (fixer) => fixer.replaceTextRange(range, text);
  return [{ messageId: 'replace', data: { replacement: text }, fix }];
}
