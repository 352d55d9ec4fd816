import { expect } from 'chai';
import { artifacts } from '#src/domain/targets/test-outputs.js';

const problemOf = (glob: unknown) => artifacts.label('artifacts').validate([glob]).error?.message;

describe('globs of artifacts', () => {
  for (const glob of [
    'report',
    './report/**',
    'out/*.xml',
    '**/*.{png,webm}',
    '!out/tmp',
    'a..b/..c',
    '.cache/**',
    './-a',
  ])
    it(`accept ${glob}`, () => expect(problemOf(glob)).to.equal(undefined));

  for (const glob of [
    '..',
    '../a',
    'a/../b',
    '**/..',
    '{..,a}/b',
    'a/{b,..}',
    '@(..|a)/b',
    '!../a',
    '\\../a',
    'a/\\.\\./b',
  ])
    it(`reject ${glob}, which leaves the folder`, () =>
      expect(problemOf(glob)).to.include('must not leave the working folder'));

  for (const glob of ['/etc/passwd', '/**', '!/etc', '{/etc,a}/b', '\\/etc'])
    it(`reject ${glob}, which is absolute`, () => expect(problemOf(glob)).to.include('must not start with /'));

  for (const glob of ['', ' ', 'a\nb', 'a\0b', 'x'.repeat(1001), 1])
    it(`reject ${JSON.stringify(glob).slice(0, 20)}`, () =>
      expect(problemOf(glob)).to.include('must be a path or glob of files below the working folder'));

  for (const glob of ['(a+)+b', 'report/@(a|b).xml', 'a|b'])
    it(`reject ${glob}, which has groups`, () =>
      expect(problemOf(glob)).to.match(/must not contain groups such as \(a\|b\)/));

  it('are limited in total', () =>
    expect(artifacts.validate(Array(21).fill('x'.repeat(1000))).error?.message).to.include(
      'must not exceed 20000 characters in total',
    ));

  it('must not start with a dash', () => expect(problemOf('-rf')).to.include('must not start with -: add ./'));

  it('are limited to 50', () => {
    expect(artifacts.validate(Array(51).fill('a')).error?.message).to.include('up to 50 globs');
    expect(artifacts.validate('report').error?.message).to.include('must be a list');
  });
});
