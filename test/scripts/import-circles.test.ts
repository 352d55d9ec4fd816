import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const FOLDERS = ['src', 'workflows', 'activities', 'tools'];

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

/** The files that each file imports, including type imports. */
function importGraph(files: readonly string[], read = (file: string) => readFileSync(file, 'utf8')) {
  const known = new Set(files);
  const importsOf = (file: string) =>
    ts
      .preProcessFile(read(file), true, false)
      .importedFiles.map(({ fileName }) =>
        fileName.startsWith('#') ? fileName.slice(1) : join(dirname(file), fileName),
      )
      .flatMap((path) => [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].filter((one) => known.has(one)));
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** One cycle for every import of a file on the current path. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  function follow(file: string, way: readonly string[]): void {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file)!) follow(next, [...way, file]);
    done.add(file);
  }
  for (const file of graph.keys()) follow(file, []);
  return circles;
}

describe('imports', () => {
  it('have no cycle', () => {
    const files = FOLDERS.flatMap(filesOf);
    const graph = importGraph(files);
    expect([...graph.values()].flat().length).to.be.greaterThan(files.length);
    expect(circlesIn(graph)).to.deep.equal([]);
  });

  it('are followed through files, folders and type imports', () => {
    const sources: Record<string, string> = {
      'src/a.ts': "import type { B } from './b/b.js';",
      'src/b/b.tsx': "export { c } from '#src/c.js';",
      'src/c.ts': "import './b/d.js';",
      'src/b/d.ts': "export const d = () => import('#src/a.js');",
      'src/e.ts': "import '#src/a.js'; import 'node:fs';",
    };
    const graph = importGraph(Object.keys(sources), (file) => sources[file]!);
    expect(circlesIn(graph)).to.deep.equal(['src/a.ts → src/b/b.tsx → src/c.ts → src/b/d.ts → src/a.ts']);
  });
});
