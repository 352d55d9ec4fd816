/**
 * Words and phrases that may not come back, each with what to write instead. A small list: it holds what no reader of
 * technical English expects, and nothing that has a good use. A space in a pattern matches a line break as well.
 *
 * @typedef {'text' | 'comment' | 'name' | 'docs'} Place text: visible to users · comment · name: declared in code · docs: Markdown
 * @typedef {object} Phrase
 * @property {string} id
 * @property {RegExp} pattern
 * @property {string} instead what to write, for a reader
 * @property {string} [replacement] where one wording fits every case: what a fix inserts
 * @property {readonly Place[]} [places] all but `name` when absent
 * @property {RegExp} [except] files in which the word is right
 */

const WRITTEN = ['text', 'comment', 'docs'];

/** @type {readonly Phrase[]} */
const LIST = [
  // Words that the field does not use.
  { id: 'e-mail', pattern: /\be-mail/i, instead: 'email' },
  { id: 'mend', pattern: /\b(un)?mend(s|ed|ing)?\b/i, instead: 'fix, repair (an error); reconcile (records)' },
  { id: 'anew', pattern: /\banew\b/i, instead: 'again; for “write anew”: rewrite, regenerate', replacement: 'again' },
  { id: 'in-vain', pattern: /\bin vain\b/i, instead: 'failed, without success' },
  { id: 'somebody', pattern: /\bsomebody\b/i, instead: 'someone', replacement: 'someone' },
  {
    id: 'nobody',
    pattern: /\bnobody\b/i,
    instead: 'no one; better the fact: “It has no members”',
    replacement: 'no one',
    places: ['text', 'docs'],
  },
  {
    id: 'whom',
    pattern: /\bwho(m|mever|ever)\b/i,
    instead: 'anyone who, the person; better name who: the caller, an owner',
  },
  { id: 'any-more', pattern: /\bany( |)more\b/i, instead: 'no longer: “The run no longer exists”' },
  { id: 'under-way', pattern: /\bunder( |)way\b/i, instead: 'in progress', replacement: 'in progress' },
  {
    id: 'good-until',
    pattern: /\b(is|are|it|was) (no longer )?good (until|for)\b|\bgood until\b/i,
    instead: 'expires, is valid for',
  },
  { id: 'told', pattern: /\btold\b/i, instead: 'notified, configured, reported, distinguished (told apart)' },
  {
    id: 'tells-of',
    pattern: /\btell(s|ing)?\b(?! (whether|which|how|why|apart|[^.]{1,30} apart))/i,
    instead: 'reports, describes, indicates',
  },
  {
    id: 'says-so',
    pattern: /\bsay(s|ing)? so\b|\bhas to say\b|\bwhat \w+ has to say\b/i,
    instead: 'reports it, states it, specifies',
  },
  {
    id: 'asked-to',
    pattern: /\b(is|are|was|were|be) asked to\b/i,
    instead: 'the effect: “Stopping…”; or: receives a request to',
  },
  { id: 'makes-new', pattern: /\bma(ke|kes|de|king) (a |an )?new\b/i, instead: 'create, generate, rotate' },
  {
    id: 'unavailable',
    pattern: /\b(is|are|was|were|be|been) away\b|\bwhile \w+ is away\b/i,
    instead: 'unavailable, down, unreachable',
  },
  { id: 'non-zero', pattern: /\b(not|other than) 0\b/i, instead: 'non-zero' },
  {
    id: 'at-the-door',
    pattern: /\bat the door\b|\b(front|back) ?door\b|\bdoors?\b/i,
    instead: 'authentication, authorization, entry point',
  },
  { id: 'house', pattern: /\b(of|map of) the house\b/i, instead: 'of the project' },
  { id: 'leads-nowhere', pattern: /\bleads? nowhere\b|\bopens nothing\b/i, instead: 'stops working, returns 404' },
  {
    id: 'not-there',
    pattern: /\b(that|what|which) (is|are|was|were) (not |no longer )?there\b|\bis not there\b/i,
    instead: 'existing, missing: “A missing project is created”',
  },
  {
    id: 'bring-back',
    pattern: /\b(br(ing|ings|ought)|give[sn]?|gave) (it |them )?back\b/i,
    instead: 'restore, return, release',
  },
  {
    id: 'as-it-was',
    pattern: /\bas (it|they) (was|were) (typed|sent|written|made)\b/i,
    instead: 'the submitted value, unchanged',
  },
  { id: 'so-many', pattern: /\bso many\b(?! (that|of them))/i, instead: 'the number: “after 30 days”' },
  { id: 'from-then-on', pattern: /\bfrom then on\b/i, instead: 'from now on; or leave it out' },
  { id: 'once-more', pattern: /\bonce more\b/i, instead: 'again', replacement: 'again' },
  { id: 'the-like', pattern: /\b(and|or) the like\b/i, instead: 'and similar, such as …' },
  {
    id: 'not-understood',
    pattern: /\b(could|can) ?not be understood\b|\bdoes not understand\b/i,
    instead: 'is invalid, cannot be parsed',
  },
  { id: 'this-once', pattern: /\bthis once( only)?\b/i, instead: 'shown only once' },
  {
    id: 'faster',
    pattern: /\bsome(body|one)( else)? was faster\b|\bothers were faster\b/i,
    instead: 'Changed by someone else',
  },
  { id: 'is-made', pattern: /\b(is|are|was|were|been) made\b(?! (of|up|by hand))/i, instead: 'is created' },
  {
    id: 'goes-away',
    pattern: /\b(is|are|was|were|has|have) gone\b/i,
    instead: 'is removed, was deleted, no longer exists; for a process: has exited',
  },
  { id: 'of-ours', pattern: /\bof ours\b|\bof its own accord\b/i, instead: 'name it: one of the server’s pages' },
  // People.
  { id: 'he', pattern: /\b(he|his|him|himself)\b/i, instead: 'they, their; or leave the person out' },
  // Terms.
  {
    id: 'profile',
    pattern: /(?<!\b(browser|client|configuration|email) )\bprofiles?\b/i,
    instead: 'variable set (of variables); account, account settings (of a person)',
    // BugBug's clients know profiles in the API, and idempotency hashes keep the word; Temporal, V8, Chromium and OpenID
    // have profiles of their own.
    except: /routes\/api\/|variable-set-services|\/temporal\/|temporal-config|bench\/|openapi|chromium|browser/i,
    places: ['text', 'docs'],
  },
  { id: 'definition', pattern: /\b(kind|type) of (definition|object)\b/i, instead: 'target (a test or a suite)' },
  // Names.
  { id: 'name-wanted', pattern: /^wanted|Wanted$/, instead: 'input, requested, expected', places: ['name'] },
  { id: 'name-there', pattern: /^there$|^(is|are|was)There$|There$/, instead: 'existing, exists', places: ['name'] },
  { id: 'name-told', pattern: /^told|Told(?=[A-Z]|$)/, instead: 'reported, notified, configured', places: ['name'] },
  {
    id: 'name-mend',
    pattern: /^mend|Mend(?=[a-z]*([A-Z]|$))/,
    instead: 'repair, reconcile, fix',
    places: ['name'],
    // A field of the workflow's result, which is in recorded histories.
    except: /reconcile-runs/,
  },
  { id: 'name-anew', pattern: /^anew|Anew(?=[A-Z]|$)/, instead: 'again, next', places: ['name'] },
  { id: 'name-away', pattern: /^away$|Away(?=[A-Z]|$)|^Away/, instead: 'unavailable, isDown', places: ['name'] },
  { id: 'name-door', pattern: /^door|Door(?=[A-Z]|$)/, instead: 'authentication, entry', places: ['name'] },
];

/** Every phrase with its pattern global, across line breaks and comment margins. */
export const PHRASES = LIST.map((phrase) => ({
  ...phrase,
  places: phrase.places ?? WRITTEN,
  pattern: new RegExp(
    phrase.pattern.source.replaceAll(/ (?![?*+])/g, '(?:[ \\t]+|\\s*\\n\\s*(?:\\*|//|>)?[ \\t]*)'),
    `${phrase.pattern.flags}g`,
  ),
}));

/**
 * The phrases in a piece of writing.
 * @param {string} text
 * @param {Place} place
 * @param {string} [file] path from the repository's root
 * @returns {{ index: number, found: string, phrase: (typeof PHRASES)[number] }[]} in the order of the text
 */
export function phrasesIn(text, place, file = '') {
  return PHRASES.filter(({ places, except }) => places.includes(place) && !except?.test(file))
    .flatMap((phrase) =>
      [...text.matchAll(phrase.pattern)].map((match) => ({ index: match.index, found: match[0], phrase })),
    )
    .sort((a, b) => a.index - b.index);
}
