import { InvalidInputError } from '#src/domain/errors.js';

/*
 * A command as typed by a person: words as in a shell, or one argument per line. No shell executes it, so what only
 * a shell interprets (pipes, variables, patterns) is rejected unless quoted.
 */

/** What a shell would interpret outside quotes. */
const SHELL_ONLY = /^(?:&&|\|\||>>|\$\(|[|&;<>()$`*])/;
/** What a shell would interpret within double quotes. */
const SHELL_ONLY_IN_QUOTES = /^(?:\$\(|[$`])/;
const ESCAPED_IN_QUOTES = /^\\(["\\$`])/;

/** Program and arguments of a command line, as a shell would split it. @throws InvalidInputError */
export function wordsOf(line: string): string[] {
  const text = line.replaceAll('\r\n', '\n');
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  const add = (part: string) => (word = (word ?? '') + part);
  while (at < text.length) {
    const rest = text.slice(at);
    const char = text[at]!;
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (char === "'" || char === '"') {
      const { content, length } = char === "'" ? singleQuoted(rest) : doubleQuoted(rest);
      add(content);
      at += length;
    } else if (char === '\\') {
      // A backslash at the end of a line continues it.
      if (rest[1] !== '\n') add(rest[1] ?? '\\');
      at += 2;
    } else {
      refuseShell(SHELL_ONLY, rest);
      add(char);
      at += 1;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Program and arguments, one per line, taken literally. */
export function argumentsOf(lines: string): string[] {
  return lines.replaceAll('\r\n', '\n').replace(/\n+$/, '').split('\n');
}

interface Quoted {
  content: string;
  /** Including the quotes. */
  length: number;
}

function singleQuoted(text: string): Quoted {
  const end = text.indexOf("'", 1);
  if (end < 0) throw openQuote("'");
  return { content: text.slice(1, end), length: end + 1 };
}

function doubleQuoted(text: string): Quoted {
  let content = '';
  let at = 1;
  while (text[at] !== '"') {
    if (at >= text.length) throw openQuote('"');
    const rest = text.slice(at);
    const escaped = ESCAPED_IN_QUOTES.exec(rest);
    if (!escaped) refuseShell(SHELL_ONLY_IN_QUOTES, rest);
    content += escaped ? escaped[1]! : rest[0]!;
    at += escaped ? 2 : 1;
  }
  return { content, length: at + 1 };
}

function refuseShell(pattern: RegExp, rest: string): void {
  const found = pattern.exec(rest)?.[0];
  if (found === undefined) return;
  throw new InvalidInputError(
    `The command does not run in a shell, so ${found} has no effect. To use a shell, write: sh -c 'first && second'. ` +
      `To pass ${found} literally, put it in single quotes.`,
  );
}

function openQuote(quote: string): InvalidInputError {
  return new InvalidInputError(`A quote (${quote}) is not closed.`);
}
