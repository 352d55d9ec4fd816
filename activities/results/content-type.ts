import { lookup } from 'mrmime';

const ANY = 'application/octet-stream';
/** Common text files without a registered media type. */
const TEXTS = ['log', 'md', 'yml', 'yaml', 'toml', 'ini', 'conf', 'out', 'err', 'diff', 'patch'];

/** Media type by the file name's extension only; the content is not checked. */
export function contentTypeOf(name: string): string {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return ANY;
  if (TEXTS.includes(extension)) return 'text/plain';
  return lookup(extension) ?? ANY;
}
