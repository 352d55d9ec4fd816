import { InvalidInputError } from '#src/domain/errors.js';

/* Variables as text: KEY=VALUE, one per line, as in a .env file. */

const LINE = /^(?:export\s+)?([^\s=]+)\s*=(.*)$/s;
/** Such a value needs quotes and escapes to be read back unchanged. */
const NEEDS_QUOTES = /^\s|\s$|^["']|[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The variables of a text; empty lines and comments (#) are skipped. @throws InvalidInputError */
export function envOf(text: string): Record<string, string> {
  const env = new Map<string, string>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined) throw problemIn(index, 'write KEY=VALUE');
    if (env.has(name)) throw problemIn(index, `${name} is set twice`);
    env.set(name, valueOf(value!.trim(), index));
  }
  return Object.fromEntries(env);
}

/** The inverse of `envOf`. */
export function envText(env: Record<string, string>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value}`)
    .join('\n');
}

function valueOf(text: string, index: number): string {
  if (/^'.*'$/s.test(text)) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    throw problemIn(index, 'a value in double quotes must be a JSON string, such as "two\\nlines"');
  }
}

function problemIn(index: number, message: string): InvalidInputError {
  return new InvalidInputError(`Line ${index + 1}: ${message}.`);
}
