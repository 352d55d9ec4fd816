import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { debianMirror } from '#tools/stack/servers/debian-mirror.js';

const OS = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=debian\n';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

describe('debianMirror', () => {
  let etc: string;
  const write = (name: string, text: string) => writeFileSync(join(etc, name), text);
  beforeEach(() => {
    etc = mkdtempSync(join(tmpdir(), 'runhook-etc-'));
    mkdirSync(join(etc, 'apt/sources.list.d'), { recursive: true });
    write('os-release', OS);
  });
  afterEach(() => rmSync(etc, { recursive: true }));

  it('reads the line format', () => {
    write(
      'apt/sources.list',
      '# deb http://no.example bookworm main\ndeb http://a.example/debian bookworm main contrib\n',
    );
    expect(debianMirror(etc)).to.deep.equal({ uri: 'http://a.example/debian', keyring: KEYRING, codename: 'bookworm' });
  });

  it('reads options of a line', () => {
    write('apt/sources.list.d/a.list', 'deb [arch=amd64 signed-by=/k.gpg] http://a.example bookworm main\n');
    expect(debianMirror(etc)).to.deep.equal({ uri: 'http://a.example', keyring: '/k.gpg', codename: 'bookworm' });
  });

  it('reads the deb822 format and skips other repositories', () => {
    const other = 'Types: deb\nURIs: http://other.example\nSuites: nodistro\nComponents: main\n';
    const security = 'Types: deb\nURIs: http://security.example\nSuites: bookworm-security\nComponents: main\n';
    const off = 'Types: deb\nEnabled: no\nURIs: http://off.example\nSuites: bookworm\nComponents: main\n';
    const right = `Types: deb\nURIs: http://a.example\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /k.gpg\n`;
    write('apt/sources.list.d/all.sources', [other, security, off, right].join('\n'));
    expect(debianMirror(etc)).to.deep.equal({ uri: 'http://a.example', keyring: '/k.gpg', codename: 'bookworm' });
  });

  it('finds none on another system, or without sources', () => {
    expect(debianMirror(etc)).to.equal(undefined);
    write('apt/sources.list', 'deb http://a.example bookworm main\n');
    write('os-release', 'ID=ubuntu\nVERSION_CODENAME=bookworm\n');
    expect(debianMirror(etc)).to.equal(undefined);
  });
});
