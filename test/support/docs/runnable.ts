import { readdir, readFile } from 'node:fs/promises';
import { DOCS } from './blocks.js';

/** The commands of a page that are marked as runnable, in their order: one script. */
export interface RunnablePage {
  /** Path in the repository. */
  name: string;
  script: string;
}

const RUNNABLE = /^```sh runnable\n([^]*?)^```$/gm;

/** Every page of the documentation, and the README, that has commands marked with ```` ```sh runnable ````. */
export async function runnablePages(): Promise<RunnablePage[]> {
  const pages = (await readdir(DOCS, { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  const all = await Promise.all(
    ['../README.md', ...pages].map(async (name) => {
      const text = await readFile(new URL(name, DOCS), 'utf8');
      return { name: name.replace('../', ''), script: [...text.matchAll(RUNNABLE)].map(([, code]) => code).join('\n') };
    }),
  );
  return all.filter(({ script }) => script !== '');
}
