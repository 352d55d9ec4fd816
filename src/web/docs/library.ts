import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { renderDoc, type RenderedDoc } from './markdown.js';

/** A page of the documentation. */
export interface DocPage extends RenderedDoc {
  /** Its path below /docs: `webhook`, `decisions/workers/pools`; empty: the index. */
  slug: string;
}

/** A part of the index: a heading and the pages that it lists. */
export interface DocChapter {
  title: string;
  pages: { slug: string; title: string }[];
}

interface DocLibrary {
  /** By slug. */
  pages: ReadonlyMap<string, DocPage>;
  chapters: readonly DocChapter[];
  /** The content of a picture that a page shows, by its path below docs/screenshots; undefined: no page shows it. */
  picture(path: string): Buffer | undefined;
}

let library: DocLibrary | undefined;

/** The documentation in docs/, read once. */
export function docLibrary(): DocLibrary {
  return (library ??= readDocs(docsFolder()));
}

/** Path of a page on the server. */
export function docPath(slug: string): string {
  return slug ? `/docs/${slug}` : '/docs';
}

/** docs/ of the repository or the package: this file is in src/web/docs, or in dist/src/web/docs. */
function docsFolder(): URL {
  const found = ['../../../docs/', '../../../../docs/']
    .map((path) => new URL(path, import.meta.url))
    .find((folder) => existsSync(new URL('README.md', folder)));
  if (!found) throw new Error('The folder docs/ is missing beside package.json.');
  return found;
}

/** @param folder ends with a slash */
export function readDocs(folder: URL): DocLibrary {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort();
  const pages = new Map(
    files.map((file) => {
      const source = readFileSync(new URL(file, folder), 'utf8');
      const page = { slug: slugOf(file), ...renderDoc(source, (written) => targetOf(file, files, written)) };
      return [page.slug, page];
    }),
  );
  const shown = new Set([...pages.values()].flatMap((page) => page.pictures));
  return {
    pages,
    chapters: chaptersOf(readFileSync(new URL('README.md', folder), 'utf8'), pages),
    picture: (path) =>
      shown.has(`/docs/screenshots/${path}`) ? readFileSync(new URL(`screenshots/${path}`, folder)) : undefined,
  };
}

const slugOf = (file: string) => file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '');

/** Links to other pages and pictures lead below /docs, those to other files of the repository nowhere. */
function targetOf(file: string, files: readonly string[], written: string): string | undefined {
  if (/^(https?:\/\/|#)/.test(written)) return written;
  const [path = '', anchor] = written.split('#');
  const name = posix.join(posix.dirname(file), path);
  if (files.includes(name)) return docPath(slugOf(name)) + (anchor ? `#${anchor}` : '');
  return /^screenshots\/[\w-]+\/[\w-]+\.png$/.test(name) ? `/docs/${name}` : undefined;
}

/** The index is the table of contents of all pages: `## Chapter`, then `- [Title](page.md)`. */
function chaptersOf(index: string, pages: ReadonlyMap<string, DocPage>): DocChapter[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((chapter) => ({
      title: chapter.slice(0, chapter.indexOf('\n')),
      pages: [...chapter.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)]
        .map(([, title, file]) => ({ slug: slugOf(file!), title: title! }))
        .filter(({ slug }) => pages.has(slug)),
    }));
}
