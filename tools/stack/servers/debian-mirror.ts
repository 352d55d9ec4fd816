import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

export interface Mirror {
  uri: string;
  /** File with the signing keys. */
  keyring: string;
  /** The release of this machine, such as `bookworm`. */
  codename: string;
}

/**
 * The Debian mirror in this machine's apt sources; undefined on other systems.
 * @param etc the folder `/etc`
 */
export function debianMirror(etc = '/etc'): Mirror | undefined {
  const release = readIfExists(join(etc, 'os-release'));
  if (!/^ID=debian$/m.test(release)) return undefined;
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1];
  if (!codename) return undefined;
  const folder = join(etc, 'apt/sources.list.d');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const ofType = (type: string) =>
    names.filter((name) => name.endsWith(type)).map((name) => readIfExists(join(folder, name)));
  const lists = [readIfExists(join(etc, 'apt/sources.list')), ...ofType('.list')];
  return (
    first(
      lists.flatMap((text) => text.split('\n')),
      (line) => fromLine(line, codename),
    ) ??
    first(
      ofType('.sources').flatMap((text) => text.split(/\n\s*\n/)),
      (stanza) => fromStanza(stanza, codename),
    )
  );
}

/** `deb [signed-by=KEYRING] URI bookworm main` */
function fromLine(line: string, codename: string): Mirror | undefined {
  const [, options = '', uri, suite, components] =
    /^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
  if (!uri || suite !== codename || !components?.split(/\s+/).includes('main')) return undefined;
  return { uri, keyring: /signed-by=(\/\S+)/.exec(options)?.[1] ?? KEYRING, codename };
}

/** Fields `Types:`, `URIs:`, `Suites:`, `Components:`, `Signed-By:`. */
function fromStanza(stanza: string, codename: string): Mirror | undefined {
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(stanza)?.[1]?.trim().split(/\s+/) ?? [];
  const [uri] = field('URIs');
  const fits =
    field('Types').includes('deb') && field('Suites').includes(codename) && field('Components').includes('main');
  if (!uri || !fits || /^Enabled:\s*no$/im.test(stanza)) return undefined;
  const [keyring] = field('Signed-By');
  return { uri, keyring: keyring?.startsWith('/') ? keyring : KEYRING, codename };
}

function first<T, R>(items: T[], choose: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const chosen = choose(item);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

function readIfExists(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
