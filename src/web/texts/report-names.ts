/** Reports of an attempt that are shown on top. */
const MOST = 10;

interface NamedFile {
  name: string;
  contentType?: string;
  attempt?: number;
}

/**
 * Which files are reports to open: HTML pages, but those that lie below a folder with an `index.html` of its own, which are
 * its parts. @returns their places in the list
 */
export function reportsAmong(files: readonly NamedFile[]): Set<number> {
  const keyOf = (attempt: number | undefined, folder: string) => `${attempt}/${folder}`;
  const roots = new Set(
    files
      .filter(({ name }) => /(^|\/)index\.html$/.test(name))
      .map(({ name, attempt }) => keyOf(attempt, name.slice(0, -'index.html'.length))),
  );
  const isPart = ({ name, attempt }: NamedFile) => {
    const folders = [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index + 1));
    if (roots.has(keyOf(attempt, '')) && name !== 'index.html') return true;
    return folders.some((folder) => roots.has(keyOf(attempt, folder)) && name !== `${folder}index.html`);
  };
  const found = files.flatMap((file, index) =>
    file.contentType === 'text/html' && file.attempt !== undefined && !isPart(file) ? [index] : [],
  );
  return new Set(found.slice(0, MOST));
}
