import { resolve } from 'node:path';
import { UsageError } from '../cli-error.js';
import type { ArtifactView, Page } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { findRun, runPath } from '../find/run.js';
import { parseCount } from '../option-values.js';
import { saveArtifact } from '../run/save-artifact.js';
import { oneLine, table } from '../text.js';

const MOST_ATTEMPTS = 1000;

/** `runhook run artifacts`. */
export const artifacts: Action<{ output?: string; attempt?: string }, [string]> = async (cli, options, id) => {
  const { voice, io } = cli;
  const attempt = options.attempt ? parseCount(options.attempt, '--attempt', MOST_ATTEMPTS) : undefined;
  const run = await findRun(cli, id);
  if (run.kind === 'suite')
    throw new UsageError(`This is a suite run; files are of its test runs. Their ids: runhook run show ${run.id}`);
  const path = `${runPath(run)}artifacts/`;
  const { results } = await cli.http().json<Page<ArtifactView>>({ path });
  const wanted = attempt ?? results[0]?.attempt ?? null;
  const files = results.filter((file) => file.attempt === wanted);

  if (options.output === undefined) {
    if (voice.asJson) return voice.json(files);
    if (files.length === 0) return voice.print('The run has left no files.');
    const rows = files.map(({ name, size, type, sha256 }) => [oneLine(name), String(size), type, sha256 ?? '']);
    return voice.write(table(['NAME', 'BYTES', 'TYPE', 'SHA-256'], rows));
  }

  const folder = resolve(io.cwd, options.output);
  for (const file of files) {
    const saved = await saveArtifact(folder, file, (keep) => cli.http().download({ path: `${path}${file.id}/` }, keep));
    if (!voice.asJson) voice.print(saved);
  }
  if (voice.asJson) return voice.json(files);
  voice.note(`${files.length} ${files.length === 1 ? 'file' : 'files'} in ${folder}`);
};
