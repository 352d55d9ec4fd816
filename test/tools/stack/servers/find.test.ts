import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findMongodb } from '#tools/stack/servers/find-mongodb.js';
import { findTemporal } from '#tools/stack/servers/find-temporal.js';

const silent = () => undefined;

describe('finding servers', () => {
  let folder: string;
  const program = (name: string) => {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'runhook-find-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('prefers an address', async () => {
    program('temporal');
    program('mongod');
    const env = { PATH: folder, TEMPORAL_ADDRESS: 't:7233', MONGODB_URL: 'mongodb://m/x' };
    expect(await findTemporal(silent, env)).to.deep.equal({ kind: 'address', address: 't:7233' });
    expect(await findMongodb(silent, undefined, env)).to.deep.equal({ kind: 'url', url: 'mongodb://m/x' });
  });

  it('uses an executable on PATH next', async () => {
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, '');
    const env = { PATH: `${elsewhere}:/nowhere:${folder}` };
    const [temporal, mongod] = [program('temporal'), program('mongod')];
    expect(await findTemporal(silent, env)).to.deep.equal({ kind: 'binary', path: temporal, origin: 'on PATH' });
    expect(await findMongodb(silent, undefined, env)).to.deep.equal({
      kind: 'mongod',
      path: mongod,
      origin: 'on PATH',
    });
  });

  it('prefers MONGOMS_SYSTEM_BINARY to PATH and rejects an invalid one', async () => {
    program('mongod');
    const named = program('my-mongod');
    const env = { PATH: folder, MONGOMS_SYSTEM_BINARY: named };
    expect(await findMongodb(silent, undefined, env)).to.include({ kind: 'mongod', path: named });
    const wrong = { ...env, MONGOMS_SYSTEM_BINARY: join(folder, 'none') };
    expect(await findMongodb(silent, undefined, wrong).catch(String)).to.include(
      'MONGOMS_SYSTEM_BINARY is not an executable',
    );
  });
});
