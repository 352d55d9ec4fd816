import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { dirname, resolve } from 'node:path';
import type { ImportAnswer } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import type { Io } from '#src/cli/io.js';
import { oneLine } from '#src/cli/text.js';
import type { Color, Output } from '#src/cli/output.js';

const MAX_BYTES = 5 * 1024 * 1024;
/** Importing thousands of tests takes seconds. */
const DEADLINE_MS = 120_000;

const SIGNS: Record<ImportAnswer['changes'][number]['change'], [string, Color]> = {
  create: ['+', 'green'],
  restore: ['+', 'green'],
  update: ['~', 'yellow'],
  archive: ['-', 'red'],
};

/** `runhook apply`. */
export const apply: Action<{ dryRun?: boolean }, [string]> = async (cli, { dryRun }, file) => {
  const { content, folder } = await readProjectFile(file, cli.io);
  const answer = await cli.http().json<ImportAnswer>({
    method: 'POST',
    path: '/import/',
    query: { dryRun: dryRun === true, folder },
    text: { type: /\.json$/i.test(file) ? 'application/json' : 'application/yaml', content },
    // Imports are idempotent.
    repeatable: true,
    deadlineMs: DEADLINE_MS,
  });
  if (cli.output.asJson) return cli.output.json(answer);
  printChanges(cli.output, answer);
};

async function readProjectFile(file: string, { cwd, stdin }: Io): Promise<{ content: string; folder: string }> {
  const path = resolve(cwd, file);
  const content = await (file === '-' ? readAll(stdin) : readFile(path, 'utf8')).catch((error: Error) => {
    throw new UsageError(`Cannot read ${path}: ${error.message}`);
  });
  if (Buffer.byteLength(content) > MAX_BYTES) throw new UsageError(`${file} is larger than 5 MiB.`);
  return { content, folder: file === '-' ? cwd : dirname(path) };
}

function printChanges(output: Output, { name, dryRun, changes, unchanged }: ImportAnswer): void {
  for (const { kind, name: what, change, fields = [] } of changes) {
    const [sign, color] = SIGNS[change];
    const how = change === 'update' && fields.length > 0 ? ` (${fields.map(oneLine).join(', ')})` : '';
    const word =
      change === 'restore'
        ? ' (restored)'
        : change === 'archive'
          ? kind === 'schedule'
            ? ' (deleted)'
            : ' (archived)'
          : '';
    output.print(output.paint(color, `${sign} ${kind} ${oneLine(what)}${how}${word}`));
  }
  const parts = (['create', 'update', 'restore', 'archive'] as const)
    .map((change) => [changes.filter((one) => one.change === change).length, change] as const)
    .filter(([number]) => number > 0)
    .map(([number, change]) => `${number} to ${change}`);
  const sum = changes.length === 0 ? 'no changes' : parts.join(', ');
  const done = dryRun ? ' Dry run: nothing was changed.' : changes.length > 0 ? ' Done.' : '';
  output.print(`${oneLine(name)}: ${sum}, ${unchanged} unchanged.${done}`);
}
