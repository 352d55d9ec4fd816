import { readFile, realpath, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { StepFailure } from './step-failure.js';

const LARGEST_STATE = 10 * 1024 * 1024;

/**
 * A file of the test's folder.
 * @returns its path, absolute and without links
 * @throws StepFailure when it is not there, or outside of the folder
 */
export async function testFile(name: string, folder: string): Promise<string> {
  const wanted = resolve(folder, name);
  const [path, root] = await Promise.all([realpath(wanted).catch(() => undefined), realpath(folder)]);
  if (path === undefined) throw new StepFailure(`there is no file ${name} in the test’s folder (${folder}).`);
  const inside = relative(root, path);
  if (inside === '' || inside.startsWith('..'))
    throw new StepFailure(`the file ${name} is not inside of the test’s folder.`);
  if (!(await stat(path)).isFile()) throw new StepFailure(`${name} is not a file.`);
  return path;
}

/** Cookies and local storage to begin with. @param given JSON, or a file of the folder that has it @throws StepFailure */
export async function storageStateOf(
  given: string,
  folder: string,
): Promise<Exclude<BrowserContextOptions['storageState'], string | undefined>> {
  const text = given.trimStart().startsWith('{') ? given : await stateFile(given, folder);
  try {
    return JSON.parse(text);
  } catch {
    // The text may be a secret.
    throw new StepFailure('storageState is not valid JSON. Write it with Playwright’s context.storageState().');
  }
}

async function stateFile(name: string, folder: string): Promise<string> {
  const path = await testFile(name, folder);
  if ((await stat(path)).size > LARGEST_STATE) throw new StepFailure('storageState is larger than 10 MiB.');
  return readFile(path, 'utf8');
}
