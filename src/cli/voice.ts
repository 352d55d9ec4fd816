import type { Writable } from 'node:stream';
import type { Io } from './io.js';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

const CODES: Record<Colour, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** How the command speaks: results on stdout, talk on stderr. */
export interface Voice {
  /** `--json`: the result is one JSON document. */
  readonly asJson: boolean;
  /** A line of the result. */
  print(line: string): void;
  /** Text of the result as it is. */
  write(text: string): void;
  /** The result as JSON. */
  json(value: unknown): void;
  /** Talk; not with `--quiet`. */
  note(line: string): void;
  /** What must be heard, `--quiet` or not. */
  warn(line: string): void;
  /** The line that is drawn again and again on a terminal; undefined takes it away. Only for a terminal. */
  status(line: string | undefined): void;
  /** Whether talk goes to a terminal, where a line can be redrawn. */
  readonly isLive: boolean;
  /** Colours a text for the result (`stdout`) or the talk. */
  paint(colour: Colour, text: string, stream?: 'stdout' | 'stderr'): string;
}

export interface VoiceOptions {
  json?: boolean;
  quiet?: boolean;
  /** false: `--no-color`. */
  color?: boolean;
}

export function createVoice({ stdout, stderr, env }: Io, { json, quiet, color }: VoiceOptions): Voice {
  const coloured = {
    stdout: hasColours(env, color, stdout.isTTY),
    stderr: hasColours(env, color, stderr.isTTY),
  };
  const isLive = stderr.isTTY === true && !quiet && env.TERM !== 'dumb';
  let status: string | undefined;
  const draw = (line: string | undefined) => {
    // From the line's beginning, the rest of the old one erased.
    if (status !== undefined || line !== undefined) stderr.write(`\r\x1b[K${line ?? ''}`);
    status = line;
  };
  /** Writes beside the line that is redrawn. */
  const say = (stream: Writable, text: string) => {
    const shown = status;
    draw(undefined);
    stream.write(text);
    draw(shown);
  };
  return {
    asJson: json === true,
    isLive,
    print: (line) => say(stdout, `${line}\n`),
    write: (text) => say(stdout, text),
    json: (value) => say(stdout, `${JSON.stringify(value, null, 2)}\n`),
    note: (line) => void (quiet || say(stderr, `${line}\n`)),
    warn: (line) => say(stderr, `${line}\n`),
    status: (line) => void (isLive && draw(line)),
    paint(colour, text, stream = 'stdout') {
      if (!coloured[stream]) return text;
      const [on, off] = CODES[colour];
      return `\x1b[${on}m${text}\x1b[${off}m`;
    },
  };
}

/** `--no-color`, then FORCE_COLOR, then NO_COLOR (no-color.org: set and not empty), then whether it is a terminal. */
function hasColours(env: Io['env'], flag: boolean | undefined, isTTY: boolean | undefined): boolean {
  if (flag === false) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return isTTY === true && env.TERM !== 'dumb';
}
