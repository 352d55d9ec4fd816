import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A static file, as it is sent. */
export interface Asset {
  content: Buffer;
  /** Of the content: a changed file has another address and is never taken from an old cache. */
  hash: string;
}

const folder = new URL('./assets/', import.meta.url);

/** Every static file by its name, read once at start. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  readdirSync(folder).map((name) => {
    const content = readFileSync(new URL(name, folder));
    return [name, { content, hash: createHash('sha256').update(content).digest('hex').slice(0, 16) }];
  }),
);

/**
 * The address of a static file on the server.
 * @throws an error for a file that is not there: a slip in a view
 */
export function assetUrl(name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`There is no file "${name}" in src/web/assets.`);
  return `/assets/${name}?v=${asset.hash}`;
}
