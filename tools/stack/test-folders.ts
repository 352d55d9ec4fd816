import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseProjectFile } from '#src/domain/project-file/project-file.js';
import { repositoryRoot } from './paths.js';

const OF_EXAMPLES = join(repositoryRoot, 'examples');

/**
 * The folders in which tests of the local stack may run (RUNHOOK_TEST_FOLDERS): those in the variable, the examples, and
 * for each project file given at this or an earlier start its folder and every `cwd` in it. Later changes through the web
 * app or the API add none.
 * @param file stores the folders for later starts
 * @param projectFiles must be valid
 * @returns the variable's value
 */
export function testFolders(
  named: string | undefined,
  { file, projectFiles }: { file: string; projectFiles: readonly string[] },
): string {
  const known: string[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const ofProjects = [...new Set([...known, ...projectFiles.flatMap(foldersOf)])];
  if (projectFiles.length > 0) write(file, ofProjects);
  const ofVariable = named === 'none' ? [] : (named?.split(',') ?? []);
  // The variable is separated by commas.
  return [...ofVariable, OF_EXAMPLES, ...ofProjects.filter((folder) => !folder.includes(','))].join(',');
}

function foldersOf(path: string): string[] {
  const folder = dirname(resolve(path));
  const { tests } = parseProjectFile(readFileSync(path, 'utf8'), { folder, fileName: path });
  return [folder, ...tests.flatMap(({ definition }) => definition.cwd ?? [])];
}

/** Atomically, because a start may be killed at any time. */
function write(file: string, folders: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(folders, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
