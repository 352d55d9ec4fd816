import { expect } from 'chai';
import { copyFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJunit } from '#activities/results/read-junit.js';

const ALONE = 'The verdict is based on the exit code only.';
const FIXTURES = new URL('../../fixtures/junit/', import.meta.url);

describe('readJunit', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-results-'));
    await mkdir(join(folder, 'out'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const place = (mask = (text: string) => text, since = 0) => ({
    folder,
    since,
    mask,
    signal: AbortSignal.timeout(20_000),
  });
  const put = (content: string | Buffer, name = 'out/a.xml') => writeFile(join(folder, name), content);
  const read = () => readJunit('out/*.xml', place());
  async function readFixture(name: string) {
    await copyFile(new URL(name, FIXTURES), join(folder, 'out', name));
    const { notes, ...results } = await read();
    expect(notes).to.deep.equal([]);
    return results;
  }

  describe('output of tools', () => {
    it("reads pytest's", async () => {
      const { cases, counts, failed } = await readFixture('pytest.xml');
      expect(counts).to.deep.equal({ passed: 1, failed: 1, error: 1, skipped: 1 });
      expect(failed).to.deep.equal(['tests.test_cart.TestCart › test_removes', 'tests.test_pay › test_card']);
      expect(cases[0]).to.deep.include({
        group: 'tests.test_cart.TestCart',
        name: 'test_adds[blue shirt]',
        durationMs: 2,
      });
      expect(cases[0]!.output).to.contain('adding blue shirt');
      expect(cases[1]!.message).to.equal('AssertionError: assert 3 == 2');
      expect(cases[1]!.details).to.contain('>       assert len(cart) == 2');
      expect(cases[2]).to.deep.include({ status: 'error', details: "fixture 'shop' failed" });
      expect(cases[3]).to.deep.include({ status: 'skipped', message: 'not on this platform' });
    });

    it("reads both of Mocha's", async () => {
      const xunit = await readFixture('mocha-xunit.xml');
      expect(xunit.counts).to.deep.equal({ passed: 1, failed: 1, error: 0, skipped: 1 });
      expect(xunit.cases[1]).to.deep.include({
        group: 'Cart adds',
        name: 'two items',
        message: 'expected 3 to equal 2',
      });
      await rm(join(folder, 'out/mocha-xunit.xml'));
      const { cases } = await readFixture('mocha-junit-reporter.xml');
      expect(cases.map(({ group, name, status }) => [group, name, status])).to.deep.equal([
        ['adds one item', 'Cart adds one item', 'passed'],
        ['adds two items', 'Cart adds two items', 'failed'],
      ]);
      expect(cases[1]!.details).to.contain('Context.<anonymous>');
    });

    it("reads Playwright's", async () => {
      const { cases, counts } = await readFixture('playwright.xml');
      expect(counts).to.deep.equal({ passed: 1, failed: 1, error: 0, skipped: 1 });
      expect(cases[1]).to.deep.include({ name: 'Checkout › pays by invoice', durationMs: 3010 });
      expect(cases[1]!.details).to.contain('Received string: "Pending"');
      expect(cases[1]!.output).to.contain('test-failed-1.png');
    });

    it("reads Maven Surefire's: thousands separators, reruns, flaky cases", async () => {
      const { cases, counts } = await readFixture('surefire.xml');
      expect(counts).to.deep.equal({ passed: 2, failed: 1, error: 1, skipped: 0 });
      expect(cases[0]!.durationMs).to.equal(1_200_500);
      expect(cases[1]!.details).to.contain('CartTest.java:21').and.not.contain('second try');
      expect(cases[1]!.output).to.equal('removing\nWARN slow\n');
      expect(cases[3]).to.deep.include({ status: 'passed', message: 'Passed after 1 failed try' });
    });

    it("reads gotestsum's", async () => {
      const { cases, counts } = await readFixture('gotestsum.xml');
      expect(counts).to.deep.equal({ passed: 1, failed: 1, error: 0, skipped: 1 });
      expect(cases[1]).to.deep.include({
        group: 'example.com/shop/cart',
        name: 'TestAdds/two_items',
        message: 'Failed',
      });
      expect(cases[1]!.details).to.contain('got 3, want 2');
    });

    it('reads nested suites, cases with several failures, and all formats of times', async () => {
      const { cases } = await readFixture('nested.xml');
      expect(cases).to.deep.equal([
        { group: 'Shop › Cart', name: 'adds', status: 'passed', durationMs: 250 },
        { group: 'Shop › Cart', name: 'old', status: 'skipped', durationMs: 0 },
        { group: 'Shop', name: 'opens', status: 'error', message: 'one', details: '1\n\n2\n\n3' },
      ]);
    });
  });

  describe('encodings', () => {
    const text = (declared: string) =>
      `<?xml version="1.0"${declared}?><testsuite><testcase name="Grüße"/></testsuite>`;

    it('reads UTF-8 with a byte order mark, Latin-1 as declared, and UTF-16', async () => {
      const latin1 = Buffer.from(text(' encoding="ISO-8859-1"'), 'latin1');
      const utf16 = Buffer.from(`\ufeff${text(' encoding="UTF-16"')}`, 'utf16le');
      for (const content of [`\ufeff${text('')}`, latin1, utf16]) {
        await put(content);
        const { cases, notes } = await read();
        expect(cases.map(({ name }) => name)).to.deep.equal(['Grüße']);
        expect(notes).to.deep.equal([]);
      }
    });

    it('reports invalid bytes and unknown encodings', async () => {
      await put(Buffer.from(text(''), 'latin1'));
      expect((await read()).notes.join()).to.contain('invalid in its encoding');
      await put(text(' encoding="KLINGON"'));
      expect((await read()).notes).to.deep.equal(['out/a.xml has an unknown encoding (KLINGON): write UTF-8.', ALONE]);
    });

    it('accepts terminal colors, which XML forbids', async () => {
      await put(
        '<testsuite><testcase name="a"><failure message="m">\x1b[31mred\x1b[0m &#27;</failure></testcase></testsuite>',
      );
      const { cases, notes } = await read();
      expect(cases[0]!.details).to.contain('\x1b[31mred\x1b[0m');
      expect(notes).to.deep.equal([]);
    });
  });

  describe('files', () => {
    const suite = '<testsuite><testcase name="a"/></testsuite>';

    it('reports that there are none', async () => {
      const { notes, cases } = await read();
      expect(cases).to.deep.equal([]);
      expect(notes[0]).to.match(/^No results: no file in the working folder matches out\/\*\.xml\./);
    });

    it('ignores those of an earlier run, whatever their modification time', async () => {
      await put(suite, 'out/old.xml');
      await new Promise((resolve) => setTimeout(resolve, 60));
      const since = Date.now();
      await put(suite, 'out/new.xml');
      await utimes(join(folder, 'out/new.xml'), 1, 1);
      const { counts, notes } = await readJunit('out/*.xml', place(undefined, since));
      expect(counts.passed).to.equal(1);
      expect(notes).to.deep.equal(['out/old.xml was ignored: last changed before this attempt started.']);
    });

    it('reads nothing outside the folder', async () => {
      const outside = await mkdtemp(join(tmpdir(), 'runhook-outside-'));
      try {
        await writeFile(join(outside, 'a.xml'), suite);
        await symlink(outside, join(folder, 'linked'));
        for (const glob of ['linked/*.xml', `${outside}/*.xml`]) {
          const { counts, notes } = await readJunit(glob, place());
          expect(counts.passed).to.equal(0);
          expect(notes.join()).to.contain('no file in the working folder matches');
        }
      } finally {
        await rm(outside, { recursive: true });
      }
    });

    it('reads nothing with a glob that is no longer valid, and reports it', async () => {
      await put(suite);
      const { counts, notes } = await readJunit('@(out|report)/(a+)+b', place());
      expect(counts.passed).to.equal(0);
      expect(notes).to.have.lengthOf(1);
      expect(notes[0]).to.match(
        /^The results were not read: the glob @\(out.* must not contain groups.* exit code only\.$/,
      );
    });

    it('reports files without cases', async () => {
      await put('<testsuites/>');
      expect((await read()).notes).to.deep.equal(['The files that match out/*.xml contain no test cases.', ALONE]);
    });

    it('keeps the cases of a truncated file', async () => {
      await put('<testsuite><testcase name="a"/><testcase name="b"><failure>');
      const { cases, notes } = await read();
      expect(cases.map(({ name }) => name)).to.deep.equal(['a']);
      expect(notes[0]).to.match(
        /^out\/a\.xml was read only up to line 1: not well-formed XML .*; the case before it was kept\.$/,
      );
    });

    it('reports files in other formats', async () => {
      await put('<html><body/></html>');
      expect((await read()).notes[0]).to.contain('it is not JUnit XML');
      await put('{"tests": 1}');
      expect((await read()).notes[0]).to.contain('not well-formed XML');
    });
  });

  it('masks secrets in every text, also where a text is truncated', async () => {
    const long = 'x'.repeat(32 * 1024 - 1);
    await put(
      `<testsuite name="s3cret"><testcase name="s3cret"><failure message="s3cret">${long}s3cret</failure><system-out>s3cret</system-out></testcase></testsuite>`,
    );
    const results = await readJunit(
      'out/*.xml',
      place((text) => text.replaceAll('s3cret', '***')),
    );
    expect(JSON.stringify(results)).to.contain('***');
    expect(JSON.stringify(results)).to.not.contain('s3');
    expect(results.cases[0]!.details).to.contain('truncated after');
  });
});
