import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { secretKey } from '#tools/stack/secret-key.js';
import { removeStackFile, writeStackFile, type StackInfo } from '#tools/stack/stack-file.js';

const info: StackInfo = {
  baseUrl: 'http://127.0.0.1:4000',
  opsUrl: 'http://127.0.0.1:4001',
  temporalAddress: '127.0.0.1:7233',
  temporalNamespace: 'default',
  mongodbUrl: 'mongodb://127.0.0.1:27017/runhook',
  demo: { projectId: 'p', webhookToken: 't', apiToken: 'a', tests: {}, suites: {} },
  projects: {},
  pids: { server: 1, worker: 2 },
};

describe('files of a running stack', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'runhook-stack-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('stack.json is readable only by its owner, and removed', () => {
    const file = join(folder, 'stack.json');
    writeFileSync(file, 'old', { mode: 0o644 });
    writeStackFile(file, info);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal(info);
    expect(readdirSync(folder)).to.deep.equal(['stack.json']);
    removeStackFile(file);
    removeStackFile(file);
    expect(existsSync(file)).to.be.false;
  });

  it('the secret key is created once, readable only by its owner', () => {
    const file = join(folder, 'a/secret-key');
    const key = secretKey(file);
    expect(Buffer.from(key, 'base64')).to.have.length(32);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(secretKey(file)).to.equal(key);
  });

  it('an invalid secret key is not replaced', () => {
    const file = join(folder, 'secret-key');
    writeFileSync(file, 'short');
    expect(() => secretKey(file)).to.throw('does not contain a base64-encoded 32-byte key');
    expect(readFileSync(file, 'utf8')).to.equal('short');
  });
});
