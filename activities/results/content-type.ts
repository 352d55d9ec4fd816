import { lookup } from 'mrmime';

const ANY = 'application/octet-stream';
/** What tests write most, where it is text without a type of its own. */
const TEXTS = ['log', 'md', 'yml', 'yaml', 'toml', 'ini', 'conf', 'out', 'err', 'diff', 'patch'];

/** Media type of a file by its name's extension; it says nothing about the content, and is shown and served as that. */
export function contentTypeOf(name: string): string {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return ANY;
  if (TEXTS.includes(extension)) return 'text/plain';
  return lookup(extension) ?? ANY;
}
