import type { Writable } from 'node:stream';
import type { Io } from './io.js';

export type Color = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

const CODES: Record<Color, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Output of the command: results on stdout, messages on stderr. */
export interface Output {
  /** `--json`: the result is one JSON document. */
  readonly asJson: boolean;
  /** Prints a line of the result. */
  print(line: string): void;
  /** Prints text of the result unchanged. */
  write(text: string): void;
  /** Prints the result as JSON. */
  json(value: unknown): void;
  /** Prints a message; suppressed by `--quiet`. */
  note(line: string): void;
  /** Prints a message even with `--quiet`. */
  warn(line: string): void;
  /** Draws the status line on a terminal; undefined removes it. */
  status(line: string | undefined): void;
  /** Whether messages go to a terminal, where a line can be redrawn. */
  readonly isLive: boolean;
  /** Colors a text for results (`stdout`) or messages (`stderr`). */
  paint(color: Color, text: string, stream?: 'stdout' | 'stderr'): string;
}

export interface OutputOptions {
  json?: boolean;
  quiet?: boolean;
  /** false: `--no-color`. */
  color?: boolean;
}

export function createOutput({ stdout, stderr, env }: Io, { json, quiet, color }: OutputOptions): Output {
  const isColored = {
    stdout: hasColors(env, color, stdout.isTTY),
    stderr: hasColors(env, color, stderr.isTTY),
  };
  const isLive = stderr.isTTY === true && !quiet && env.TERM !== 'dumb';
  let status: string | undefined;
  const draw = (line: string | undefined) => {
    // Returns to the start of the line and erases the previous text.
    if (status !== undefined || line !== undefined) stderr.write(`\r\x1b[K${line ?? ''}`);
    status = line;
  };
  /** Writes text, and redraws the status line below it. */
  const writeAboveStatus = (stream: Writable, text: string) => {
    const shown = status;
    draw(undefined);
    stream.write(text);
    draw(shown);
  };
  return {
    asJson: json === true,
    isLive,
    print: (line) => writeAboveStatus(stdout, `${line}\n`),
    write: (text) => writeAboveStatus(stdout, text),
    json: (value) => writeAboveStatus(stdout, `${JSON.stringify(value, null, 2)}\n`),
    note: (line) => void (quiet || writeAboveStatus(stderr, `${line}\n`)),
    warn: (line) => writeAboveStatus(stderr, `${line}\n`),
    status: (line) => void (isLive && draw(line)),
    paint(color, text, stream = 'stdout') {
      if (!isColored[stream]) return text;
      const [on, off] = CODES[color];
      return `\x1b[${on}m${text}\x1b[${off}m`;
    },
  };
}

/** `--no-color`, then FORCE_COLOR, then NO_COLOR (no-color.org: set and not empty), then whether it is a terminal. */
function hasColors(env: Io['env'], flag: boolean | undefined, isTTY: boolean | undefined): boolean {
  if (flag === false) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return isTTY === true && env.TERM !== 'dumb';
}
