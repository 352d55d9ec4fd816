import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Check } from '#src/domain/check.js';

/** Programs that some tests require on workers. */
const OPTIONAL = [
  { name: 'git', programs: ['git'], use: 'tests from Git repositories' },
  { name: 'Chromium', programs: ['chromium', 'chromium-browser', 'google-chrome'], use: 'browser tests' },
];

/** Checks which optional programs are on PATH. */
export async function checkPrograms(env: Record<string, string | undefined>): Promise<Check[]> {
  return Promise.all(
    OPTIONAL.map(async ({ name, programs, use }): Promise<Check> => {
      const found = (await Promise.all(programs.map((program) => onPath(program, env.PATH)))).find(Boolean);
      if (found) return { level: 'ok', name, message: found };
      return { level: 'warn', name, message: 'not on PATH', remedy: `Only needed on worker machines, for ${use}.` };
    }),
  );
}

async function onPath(program: string, path = ''): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, program);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
