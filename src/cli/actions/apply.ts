import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { dirname, resolve } from 'node:path';
import type { ImportAnswer } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { UsageError } from '../cli-error.js';
import type { Io } from '../io.js';
import { oneLine } from '../text.js';
import type { Colour, Voice } from '../voice.js';

const MOST_BYTES = 5 * 1024 * 1024;
/** A file of thousands of tests takes seconds. */
const DEADLINE_MS = 120_000;

const SIGNS: Record<ImportAnswer['changes'][number]['change'], [string, Colour]> = {
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
    // Importing again changes nothing.
    repeatable: true,
    deadlineMs: DEADLINE_MS,
  });
  if (cli.voice.asJson) return cli.voice.json(answer);
  printChanges(cli.voice, answer);
};

async function readProjectFile(file: string, { cwd, stdin }: Io): Promise<{ content: string; folder: string }> {
  const path = resolve(cwd, file);
  const content = await (file === '-' ? readAll(stdin) : readFile(path, 'utf8')).catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  if (Buffer.byteLength(content) > MOST_BYTES) throw new UsageError(`${file} is larger than 5 MiB.`);
  return { content, folder: file === '-' ? cwd : dirname(path) };
}

function printChanges(voice: Voice, { name, dryRun, changes, unchanged }: ImportAnswer): void {
  for (const { kind, name: what, change, fields = [] } of changes) {
    const [sign, colour] = SIGNS[change];
    const how = change === 'update' && fields.length > 0 ? ` (${fields.map(oneLine).join(', ')})` : '';
    const word = change === 'restore' ? ' (comes back)' : change === 'archive' ? ' (archived)' : '';
    voice.print(voice.paint(colour, `${sign} ${kind} ${oneLine(what)}${how}${word}`));
  }
  const parts = (['create', 'update', 'restore', 'archive'] as const)
    .map((change) => [changes.filter((one) => one.change === change).length, change] as const)
    .filter(([number]) => number > 0)
    .map(([number, change]) => `${number} to ${change}`);
  const sum = changes.length === 0 ? 'nothing changes' : parts.join(', ');
  const done = dryRun ? ' Nothing was changed: this was a dry run.' : changes.length > 0 ? ' Done.' : '';
  voice.print(`${oneLine(name)}: ${sum}, ${unchanged} unchanged.${done}`);
}
