import { resolve } from 'node:path';
import { UsageError } from '#src/cli/cli-error.js';
import type { ArtifactView, Page } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { findRun, runPath } from '#src/cli/find/find-run.js';
import { parseCount } from '#src/cli/option-values.js';
import { saveArtifact } from '#src/cli/run/save-artifact.js';
import { oneLine, table } from '#src/cli/text.js';

const MAX_ATTEMPTS = 1000;

/** `runhook run artifacts`. */
export const artifacts: Action<{ output?: string; attempt?: string }, [string]> = async (cli, options, id) => {
  const { output, io } = cli;
  const attempt = options.attempt ? parseCount(options.attempt, '--attempt', MAX_ATTEMPTS) : undefined;
  const run = await findRun(cli, id);
  if (run.kind === 'suite')
    throw new UsageError(
      `This is a suite run. Artifacts belong to its test runs: run \`runhook run show ${run.id}\` for their IDs.`,
    );
  const path = `${runPath(run)}artifacts/`;
  const { results } = await cli.http().json<Page<ArtifactView>>({ path });
  const selected = attempt ?? results[0]?.attempt ?? null;
  const files = results.filter((file) => file.attempt === selected);

  if (options.output === undefined) {
    if (output.asJson) return output.json(files);
    if (files.length === 0) return output.print('The run has no artifacts.');
    const rows = files.map(({ name, size, type, sha256 }) => [oneLine(name), String(size), type, sha256 ?? '']);
    return output.write(table(['NAME', 'BYTES', 'TYPE', 'SHA-256'], rows));
  }

  const folder = resolve(io.cwd, options.output);
  for (const file of files) {
    const saved = await saveArtifact(folder, file, (keep) => cli.http().download({ path: `${path}${file.id}/` }, keep));
    if (!output.asJson) output.print(saved);
  }
  if (output.asJson) return output.json(files);
  output.note(`${files.length} ${files.length === 1 ? 'file' : 'files'} saved in ${folder}`);
};
