import { parseProjectFile, withIds, type ProjectFile } from '#src/domain/project-file/project-file.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';

/** A minimal project file with some tests and suites, each a line of YAML. */
export function projectFileText(tests: string[], suites: string[] = [], project = 'Demo'): string {
  const list = (entries: string[]) =>
    entries.length === 0 ? ' []' : entries.map((entry) => `\n  - ${entry}`).join('');
  return `project: ${project}\ntests:${list(tests)}\nsuites:${list(suites)}\n`;
}

/** The project of files without an id. */
export const PROJECT_ID = '7c9d1a8e-52d4-4b6f-8f5a-0f6f3d2b9e41';

/** Parses a text as the file `shop.yaml` in `/shop`. */
export function parse(text: string): ProjectFile {
  const parsed = parseProjectFile(text, { folder: '/shop', fileName: 'shop.yaml' });
  return withIds(parsed, parsed.id ?? PROJECT_ID, 'shop.yaml');
}

/** The problems of a text, one per line: `<line>: <message>`. */
export function problemsOf(text: string): string[] {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error;
    return error.problems.map(({ line, message }) => `${line}: ${message}`);
  }
  return [];
}
