import { expect } from 'chai';
import { createPathMatcher } from '#activities/files/path-matcher.js';
import { parseGlob, parseGlobs, problemOfGlobs } from '#src/domain/targets/glob.js';

function matches(glob: string, path: string, options: Parameters<typeof createPathMatcher>[1] = {}): boolean {
  const matcher = createPathMatcher([parseGlob(glob)], options);
  return matcher.isMatch(path.split('/').reduce((places, name) => matcher.after(places, name), matcher.start));
}

describe('globs', () => {
  const cases: [glob: string, matching: string[], others: string[]][] = [
    ['report.xml', ['report.xml'], ['report-xml', 'a/report.xml', 'report.xml/a', 'Report.xml']],
    ['./out//*.xml', ['out/a.xml', 'out/b.xml'], ['a.xml', 'out/a/b.xml', 'out/a.xm']],
    ['*', ['a', 'ä b'], ['.a', 'a/b', 'a\nb']],
    ['*.tar.*', ['a.tar.gz', 'a.tar.tar.x'], ['a.tar', '.tar.gz']],
    ['a?c', ['abc', 'a😀c'], ['ac', 'abbc']],
    ['?a', ['ba'], ['.a']],
    ['[a-c0][!x]', ['bz', '0-'], ['dz', 'bx', 'b']],
    ['[]a]', [']', 'a'], ['b']],
    ['[^.]*', ['a'], ['.a']],
    ['[ab', ['[ab'], ['a']],
    ['**/*.log', ['x.log', 'a/x.log', 'a/b/x.log'], ['.a/x.log', 'a/.x.log', 'x.log/a']],
    ['a/**', ['a/b', 'a/b/c', 'a'], ['b', 'a/.b']],
    ['a/**/z', ['a/z', 'a/b/c/z'], ['a/b', 'z']],
    ['**', ['a', 'a/b'], ['.a', 'a/.b']],
    ['.cache/**', ['.cache/a'], ['.cache/.a', 'cache/a']],
    ['**/.env', ['.env', 'a/.env'], ['a/b.env']],
    ['*.{png,webm}', ['a.png', 'a.webm'], ['a.pngx', 'a.{png,webm}']],
    ['{a,b/{c,d}}/e', ['a/e', 'b/c/e', 'b/d/e'], ['b/e', 'c/e']],
    ['shard-{1..3}.xml', ['shard-1.xml', 'shard-3.xml'], ['shard-4.xml']],
    ['{a}{', ['{a}{'], ['a']],
    ['a{,.bak}', ['a', 'a.bak'], ['a.']],
    ['\\*\\(1\\)\\{a,b}', ['*(1){a,b}'], ['x(1)a']],
    ['a+b@c', ['a+b@c'], ['aab@c']],
    ['../a', [], ['../a', 'a']],
    ['/a', [], ['a', '/a']],
  ];
  for (const [glob, matching, others] of cases)
    it(`${glob} matches the expected paths`, () => {
      for (const path of matching) expect(matches(glob, path), path).to.equal(true);
      for (const path of others) expect(matches(glob, path), path).to.equal(false);
    });

  it('can match hidden names, and all names in a folder', () => {
    expect(matches('**/x', '.a/x', { hidden: true })).to.equal(true);
    for (const glob of ['report', 'report/', 'rep?rt'])
      expect(matches(glob, 'report/a/b', { foldersMatchContents: true }), glob).to.equal(true);
    for (const glob of ['report', 'rep*']) expect(matches(glob, 'report/a'), glob).to.equal(false);
    expect(matches('rep*', 'report/a', { foldersMatchContents: true })).to.equal(false);
  });

  const refused: [what: string, glob: string, said: RegExp][] = [
    ['an extended glob', '+(a)', /must not contain groups .*write \{a,b\}/],
    ['the one that froze a pool', '(a+)+b', /groups/],
    ['an alternative', 'a|b', /groups/],
    ['a negated group', '!(a)', /groups/],
    ['too many patterns', '{a,b}'.repeat(7), /more than 100 patterns/],
    ['a wide range', '{1..101}', /more than 100 patterns/],
    ['nested lists', `${'{a,'.repeat(6)}b${'}'.repeat(6)}`, /more than 5 levels deep/],
    [
      'what is long when it is written out',
      `{${Array(60).fill('a').join()}}${'x'.repeat(800)}`,
      /too long with braces/,
    ],
    ['a long one', 'a'.repeat(1001), /longer than 1000/],
  ];
  for (const [what, glob, said] of refused) it(`refuse ${what}`, () => expect(problemOfGlobs(glob)).to.match(said));

  it('are limited in total', () => {
    const globs = Array.from({ length: 21 }, () => 'x'.repeat(1000));
    expect(problemOfGlobs(...globs)).to.match(/must not exceed 20000 characters in total/);
    expect(problemOfGlobs(...globs.slice(1))).to.equal(undefined);
  });

  it('match in time proportional to their length', () => {
    const hostile = [
      '{'.repeat(1000),
      '['.repeat(1000),
      `${'['.repeat(999)}/`,
      '{['.repeat(500),
      `${'{a,'.repeat(4)}${'{'.repeat(900)}`,
    ];
    const stars = [...Array.from({ length: 18 }, () => '*a'.repeat(499) + '*b'), '**/'.repeat(300) + 'b'];
    const before = process.cpuUsage();
    for (const glob of hostile) problemOfGlobs(glob);
    const matcher = createPathMatcher(parseGlobs(stars), {});
    let places = matcher.start;
    for (let depth = 0; depth < 10; depth++) places = matcher.after(places, 'a'.repeat(255));
    expect(matcher.isMatch(places)).to.equal(false);
    // A backtracking matcher would take exponential time.
    expect(process.cpuUsage(before).user / 1e6, 'seconds of processor time').to.be.below(5);
  });
});
