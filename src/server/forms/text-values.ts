import { stringify } from 'yaml';
import { argumentsOf, wordsOf } from '#src/domain/targets/command-line.js';
import { envOf, envText } from '#src/domain/variables/env-text.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { durationMs, durationText } from '#src/domain/project-file/duration.js';
import type { TypedPath } from '#src/domain/project-file/reader.js';
import { readYaml } from '#src/domain/project-file/yaml.js';
import { formatCommand } from '#src/web/texts/format.js';

/* Values as text in the fields of a form. */

export interface TextValue<T = unknown> {
  /** @returns undefined: no value. @throws InvalidInputError with what is wrong and what to enter */
  read(text: string): T | undefined;
  /** The text that `read` turns into the value, as far as a text can express it. */
  write(value: T): string;
  /** Of a text of several values: the line, from 1, of the value at a path. */
  lineOf?(text: string, path: readonly (string | number)[]): number;
}

const LARGEST_YAML = 256 * 1024;

/** As entered; empty text is a value. */
export const rawText: TextValue<string> = { read: (text) => text, write: (value) => value };

/** On one line, without surrounding spaces. */
export const plainText: TextValue<string> = { read: (text) => text.trim() || undefined, write: (value) => value };

/** A value that cannot be empty. @param message what to enter */
export const required = <T>(field: TextValue<T>, message: string): TextValue<T> => ({
  ...field,
  read(text) {
    const value = field.read(text);
    if (value === undefined) throw new InvalidInputError(message);
    return value;
  },
});

/** Anything else stays text, for a schema to reject. */
export const numberText: TextValue<number | string> = {
  read: (text) => {
    const trimmed = text.trim();
    return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed || undefined;
  },
  write: String,
};

/** One per line; empty lines are ignored. */
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

/** Separated by whitespace. */
export const wordsText: TextValue<string[]> = {
  read: (text) => (text.trim() === '' ? undefined : text.trim().split(/\s+/)),
  write: (values) => values.join('\n'),
};

/** `90s`, `5m`, `2h`. */
export const durationUpTo = (longestMs: number, shortestMs = 1): TextValue<number> => ({
  read(text) {
    if (text.trim() === '') return undefined;
    const ms = durationMs(text.replaceAll(' ', '').toLowerCase());
    if (ms === undefined || ms < 1) throw new InvalidInputError('Enter a number and a unit, such as 90s, 5m or 2h.');
    if (ms > longestMs) throw new InvalidInputError(`At most ${durationText(longestMs)}.`);
    if (ms < shortestMs) throw new InvalidInputError(`At least ${durationText(shortestMs)}.`);
    return ms;
  },
  write: durationText,
});

/** A command line as in a shell. */
export const commandText: TextValue<string[]> = {
  read: (text) => (text.trim() === '' ? undefined : wordsOf(text)),
  write: formatCommand,
};

/** A program and its arguments, one per line. */
export const argumentsText: TextValue<string[]> = {
  read: (text) => (text.trim() === '' ? undefined : argumentsOf(text)),
  write: (values) => values.join('\n'),
};

/** KEY=VALUE, one per line. */
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
  lineOf: (text, path) => readYaml(text).lineOf(path),
});

/** A check box: true, or no value. */
export const checkText: TextValue<boolean> = {
  read: (text) => (text === '' ? undefined : true),
  write: (value) => (value ? 'true' : ''),
};
