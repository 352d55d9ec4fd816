import { expect } from 'chai';
import { PHRASES, phrasesIn, type Place } from '#scripts/texts/phrases.mjs';

/** Texts that each phrase must find. */
const BAD: Record<string, string[]> = {
  'e-mail': ['E-mail', 'an e-mail address'],
  mend: ['Please mend the marked fields', 'runs that were mended', 'an unmended record'],
  anew: ['writes the table anew'],
  'in-vain': ['loads something in vain'],
  somebody: ['Somebody changed it'],
  nobody: ['Nobody sees it'],
  whom: ['the person whom you invite', 'Whoever opens it joins', 'for whomever it is'],
  'any-more': ['He is no member any more', 'not shown anymore'],
  'under-way': ['Runs under way end as usual', 'two are underway'],
  'good-until': ['It is good until Monday', 'Good until', 'It is good for one person'],
  told: ['it is told to', 'as this server is told'],
  'tells-of': ['A test tells of each case', 'This tells nothing about', 'telling the worker'],
  'says-so': ['and say so', 'it says so', 'what Git has to say'],
  'asked-to': ['The run is asked to stop'],
  'makes-new': ['makes a new token', 'make new keys'],
  unavailable: ['MongoDB is away', 'while it was away', 'while Temporal is away'],
  'non-zero': ['The exit code is not 0', 'any other than 0'],
  'at-the-door': ['refused at the door', 'behind the door'],
  house: ['The map of the house'],
  'leads-nowhere': ['Its webhooks lead nowhere', 'The link opens nothing'],
  'not-there': ['A project that is not there is made', 'the key is not there'],
  'bring-back': ['brings it back', 'a lock is given back'],
  'as-it-was': ['the form as it was typed'],
  'so-many': ['removed after so many days'],
  'from-then-on': ['From then on runs start'],
  'once-more': ['Trigger it once more'],
  'the-like': ['titles and the like'],
  'not-understood': ['This could not be understood'],
  'this-once': ['shown this once only'],
  faster: ['Somebody was faster', 'Somebody else was faster'],
  'is-made': ['The invitation is made', 'tokens were made'],
  'goes-away': ['The run is gone', 'has gone'],
  'of-ours': ['a page of ours'],
  he: ['when he signs in', 'changed his name'],
  profile: ['Choose a profile', 'Profiles of variables'],
  definition: ['any kind of definition'],
  'name-wanted': ['wanted', 'wantedRole', 'isWanted'],
  'name-there': ['there', 'wasThere', 'isThere'],
  'name-told': ['told', 'toldAt', 'wasTold'],
  'name-mend': ['mendRecord', 'mended'],
  'name-anew': ['anew', 'readAnew'],
  'name-away': ['away', 'Away', 'isAway'],
  'name-door': ['door', 'frontDoor'],
};

/** Plain English with words of the list as parts of other words, or with a different meaning. */
const GOOD = [
  'Please fix the highlighted fields. A recommended amendment is needed.',
  'MongoDB is unavailable. Runs in progress keep the old version.',
  'Expires in 10 days. The token is valid for 90 days.',
  'This line tells whether the run has started. It cannot tell the two apart.',
  'Missing and inaccessible resources both return 404.',
  'Changed by someone else. The path is made of two parts.',
  'The exit code is non-zero. Nothing here has a default.',
  'Wait 30 seconds, then try again. There are no tests.',
  'Goods are shipped in many places so many of them are late.',
];
const GOOD_NAMES = [
  'existing',
  'input',
  'isRequested',
  'thereafterMs',
  'commend',
  'recommended',
  'runaway',
  'outdoor',
  'unwantedBytes',
];

const idsIn = (text: string, place: Place, file?: string) =>
  phrasesIn(text, place, file).map(({ phrase }) => phrase.id);
const placeOf = (id: string): Place => (id.startsWith('name-') ? 'name' : 'text');

describe('phrases to avoid', () => {
  for (const { id } of PHRASES) {
    it(`finds ${id}`, () => {
      expect(BAD[id], 'examples').to.not.equal(undefined);
      for (const text of BAD[id]!) expect(idsIn(text, placeOf(id)), text).to.include(id);
    });
  }

  it('accept good English', () => {
    for (const text of GOOD) expect(idsIn(text, 'text'), text).to.deep.equal([]);
    for (const name of GOOD_NAMES) expect(idsIn(name, 'name'), name).to.deep.equal([]);
  });

  it('are found across the lines of a comment and of Markdown', () => {
    expect(idsIn('/**\n * The run is asked\n * to stop.\n */', 'comment')).to.deep.equal(['asked-to']);
    expect(idsIn('// Runs under\n    // way', 'comment')).to.deep.equal(['under-way']);
    expect(idsIn('It is shown\nthis once\nonly.', 'docs')).to.deep.equal(['this-once']);
  });

  it('allow the fields of the API', () => {
    expect(idsIn('the profile to use', 'text', 'src/server/routes/api/variables/profiles.ts')).to.deep.equal([]);
    expect(idsIn('the profile to use', 'text', 'src/web/settings/variables-page.tsx')).to.deep.equal(['profile']);
  });

  it('all have a suggestion', () => {
    for (const { id, instead } of PHRASES) expect(instead, id).to.match(/\w/);
  });
});
