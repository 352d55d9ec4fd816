import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { openInside, readInside, type FileRoot } from '#activities/files/open-inside.js';
import { StepFailure } from './step-failure.js';

const MAX_STATE_BYTES = 10 * 1024 * 1024;

/**
 * Finds a file in the test's folder.
 * @returns its path, absolute and without links
 * @throws StepFailure if it is missing, not a regular file, or outside the folder
 */
export async function testFile(name: string, of: FileRoot): Promise<string> {
  const opened = await openInside(of, name);
  if ('refused' in opened) throw refusal(name, of, opened);
  if (!Buffer.isBuffer(opened.content)) opened.content.destroy();
  return realpath(resolve(of.folder, name));
}

/**
 * Cookies and local storage to begin with.
 * @param given JSON, or a file of the folder that has it
 * @throws StepFailure
 */
export async function storageStateOf(
  given: string,
  of: FileRoot,
): Promise<Exclude<BrowserContextOptions['storageState'], string | undefined>> {
  const text = given.trimStart().startsWith('{') ? given : await stateFile(given, of);
  try {
    return JSON.parse(text);
  } catch {
    // The text may be a secret.
    throw new StepFailure('storageState is not valid JSON. Create it with Playwright’s context.storageState().');
  }
}

async function stateFile(name: string, of: FileRoot): Promise<string> {
  const content = await readInside(of, name, MAX_STATE_BYTES);
  if (Buffer.isBuffer(content)) return content.toString();
  if (content.isTooLarge) throw new StepFailure('storageState is larger than 10 MiB.');
  throw refusal(name, of, content);
}

function refusal(
  name: string,
  { folder }: FileRoot,
  { refused, code }: { refused: string; code?: string },
): StepFailure {
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new StepFailure(`the file ${name} does not exist in the test’s working folder (${folder}).`);
  return new StepFailure(`the file ${name} cannot be used: ${refused}.`);
}
