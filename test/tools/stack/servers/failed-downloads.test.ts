import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { recentFailure, rememberFailure } from '#tools/stack/servers/failed-downloads.js';

const HOUR = 3_600_000;

describe('failed downloads', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'runhook-failed-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are remembered for an hour', () => {
    expect(recentFailure(join(folder, 'cache'), 'mongod')).to.equal(undefined);
    rememberFailure(join(folder, 'cache'), 'mongod', 'no DNS', 1000);
    expect(recentFailure(join(folder, 'cache'), 'mongod', 1000 + 60_000)).to.match(/^no DNS \(1m00s ago/);
    expect(recentFailure(join(folder, 'cache'), 'mongod', 1000 + HOUR)).to.equal(undefined);
    expect(recentFailure(join(folder, 'cache'), 'mongod', 0), 'a clock set back').to.equal(undefined);
    expect(recentFailure(join(folder, 'cache'), 'temporal', 1000)).to.equal(undefined);
  });
});
