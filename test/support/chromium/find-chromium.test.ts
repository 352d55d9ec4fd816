import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import { findChromium, type ChromiumWays } from './find-chromium.js';

const silent = () => undefined;

describe('findChromium', () => {
  let folder: string;
  let asked: string[];
  const program = (name: string, mode = 0o755) => {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), mode);
    return join(folder, name);
  };
  /** Records each call; the ways in `found` succeed. */
  const ways = (some: { playwright?: string; kept?: string; fetched?: string }): ChromiumWays => ({
    playwright: () => (asked.push('playwright'), some.playwright),
    find: (cache) => (asked.push(`find in ${cache}`), Promise.resolve(of(some.kept))),
    get: (cache) => {
      asked.push(`get into ${cache}`);
      const got = of(some.fetched);
      return got ? Promise.resolve(got) : Promise.reject(new NotPossibleError('no Debian'));
    },
  });
  const of = (path: string | undefined) => (path ? { path, origin: 'Debian’s package' } : undefined);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-chromium-'));
    asked = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('prefers the executable in a variable, and rejects an invalid one', async () => {
    program('chromium');
    const mine = program('mine');
    expect(await findChromium(silent, { PATH: folder, CHROME_BIN: mine }, ways({}))).to.deep.equal({
      path: mine,
      origin: 'CHROME_BIN',
    });
    const wrong = { PATH: folder, CHROMIUM: program('text', 0o644), CHROME_BIN: mine };
    expect(await findChromium(silent, wrong, ways({})).catch(String)).to.include('CHROMIUM is not an executable file');
  });

  it('uses an executable on PATH next, under any known name', async () => {
    const path = program('google-chrome');
    expect(await findChromium(silent, { PATH: folder }, ways({}))).to.deep.equal({ path, origin: 'on PATH' });
    const better = program('chromium');
    expect(await findChromium(silent, { PATH: folder }, ways({}))).to.include({ path: better });
    expect(asked).to.be.empty;
  });

  it('uses Playwright’s next, then Debian’s from the cache, and else downloads it', async () => {
    const env = { PATH: folder, XDG_CACHE_HOME: '/cache' };
    const [find, get] = ['find in /cache/runhook', 'get into /cache/runhook'];
    const all = { playwright: '/p', kept: '/k', fetched: '/f' };
    const cases: [Parameters<typeof ways>[0], string, string[]][] = [
      [all, '/p', ['playwright']],
      [{ kept: '/k', fetched: '/f' }, '/k', ['playwright', find]],
      [{ fetched: '/f' }, '/f', ['playwright', find, get]],
    ];
    for (const [some, path, order] of cases) {
      asked = [];
      expect(await findChromium(silent, env, ways(some))).to.include({ path });
      expect(asked).to.deep.equal(order);
    }
  });

  it('reports why none is available', async () => {
    const failure = await findChromium(silent, { PATH: folder }, ways({})).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(NotPossibleError);
  });
});
