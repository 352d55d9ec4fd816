import { stringify } from 'yaml';
import { argumentsOf, wordsOf } from '#src/domain/targets/command-line.js';
import { envOf, envText } from '#src/domain/variables/env-text.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { durationText } from '#src/domain/project-file/duration.js';
import type { TypedPath } from '#src/domain/project-file/reader.js';
import { readYaml } from '#src/domain/project-file/yaml.js';
import { formatCommand } from '#src/web/texts/format.js';
import { readDuration } from './read-duration.js';

/* Values of definitions as people type them in a form. */

export interface TextValue<T = unknown> {
  /** @returns undefined: nothing is said. @throws InvalidInputError with what is wrong and what to write */
  read(text: string): T | undefined;
  /** The text that `read` makes the same value of, as far as a text can say it. */
  write(value: T): string;
}

const LARGEST_YAML = 256 * 1024;

/** On one line, without space around it. */
export const plainText: TextValue<string> = { read: (text) => text.trim() || undefined, write: (value) => value };

/** What is no number stays text, for a schema to refuse. */
export const numberText: TextValue<number | string> = {
  read: (text) => {
    const trimmed = text.trim();
    return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed || undefined;
  },
  write: String,
};

/** One a line; empty lines say nothing. */
export const listText: TextValue<string[]> = {
  read: (text) => {
    const items = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    return items.length > 0 ? items : undefined;
  },
  write: (values) => values.join('\n'),
};

/** `90s`, `5m`, `2h`. */
export const durationUpTo = (longestMs: number): TextValue<number> => ({
  read: (text) => readDuration(text.trim() || undefined, longestMs),
  write: durationText,
});

/** A command line as in a shell. */
export const commandText: TextValue<string[]> = {
  read: (text) => (text.trim() === '' ? undefined : wordsOf(text)),
  write: formatCommand,
};

/** A program and its arguments, one a line; written as a command line. */
export const argumentsText: TextValue<string[]> = {
  read: (text) => (text.trim() === '' ? undefined : argumentsOf(text)),
  write: formatCommand,
};

/** KEY=VALUE, one a line. */
export const variablesText: TextValue<Record<string, string>> = { read: envOf, write: envText };

/** A list or map in YAML (or JSON), as in a project file. @param typedPaths where values keep their types: see readYaml */
export const yamlText = (typedPaths: readonly TypedPath[] = []): TextValue => ({
  read(text) {
    if (text.trim() === '') return undefined;
    if (Buffer.byteLength(text) > LARGEST_YAML)
      throw new InvalidInputError('Longer than 256 KiB: import it with a project file.');
    const { value, problems } = readYaml(text, typedPaths);
    if (problems.length === 0) return value ?? undefined;
    throw new InvalidInputError(problems.map(({ line, message }) => `Line ${line}: ${message}`).join('\n'));
  },
  write: (value) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd(),
});

/** A switch: `true`, or nothing. */
export const yesText: TextValue<boolean> = {
  read: (text) => (text === '' ? undefined : true),
  write: (value) => (value ? 'true' : ''),
};

/** The line, from 1, of the value at a path in a YAML text. */
export function lineInYaml(text: string, path: readonly (string | number)[]): number {
  return readYaml(text).lineOf(path);
}
