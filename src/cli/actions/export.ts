import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '#src/cli/cli-error.js';
import type { Action } from '#src/cli/commands/define.js';
import { findProject } from '#src/cli/find/find-project.js';

const DEADLINE_MS = 120_000;

/** `runhook export`. */
export const exportProject: Action<{ output?: string }> = async (cli, { output }) => {
  const project = await findProject(cli);
  const { text } = await cli.http().send({ path: `/projects/${project.id}/export/`, deadlineMs: DEADLINE_MS });
  if (output) {
    const file = resolve(cli.io.cwd, output);
    await writeFile(file, text).catch((error: Error) => {
      throw new UsageError(`Cannot write ${file}: ${error.message}`);
    });
    return cli.output.note(`"${project.name}" exported to ${file}`);
  }
  if (!cli.output.asJson) return cli.output.write(text);
  const { parse } = await import('yaml');
  cli.output.json(parse(text));
};
