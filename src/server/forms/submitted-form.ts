import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { InvalidInputError, invalidField } from '#src/domain/errors.js';
import type { FormValues } from '#src/web/components/form/form.js';

/** The fields of a form as a browser sent them. */
export class SubmittedForm {
  /** By name, to show the form again. */
  readonly values: FormValues;
  private readonly files = new Map<string, Promise<Buffer>>();

  constructor(private readonly payload: unknown) {
    this.values = Object.fromEntries(Object.entries(Object(payload)).map(([name, value]) => [name, textOf(value)]));
  }

  /** The text as entered; empty if the field is absent. */
  raw(name: string): string {
    const value = this.values[name];
    return typeof value === 'string' ? value : '';
  }

  /** The text without surrounding spaces; undefined if empty. */
  text(name: string): string | undefined {
    return this.raw(name).trim() || undefined;
  }

  isChecked(name: string): boolean {
    return this.raw(name) !== '';
  }

  /** All values of check boxes that share a name. */
  all(name: string): string[] {
    return [this.values[name]].flat().filter((one): one is string => typeof one === 'string');
  }

  /** The revision that the form was opened with. @throws InvalidInputError */
  revision(): number {
    if (!/^\d{1,15}$/.test(this.raw('revision')))
      throw new InvalidInputError('The form is incomplete. Reload the page.');
    return Number(this.raw('revision'));
  }

  /** The content of a file (`withFiles`); undefined if none was selected. @throws InvalidInputError unless it is text */
  async file(name: string): Promise<string | undefined> {
    const stream = (this.payload as Record<string, unknown> | null)?.[name];
    if (!(stream instanceof Readable)) return undefined;
    // A stream can be read only once.
    const content = this.files.get(name) ?? buffer(stream);
    this.files.set(name, content);
    return decoded(name, await content);
  }
}

/** Browsers submit line breaks as CRLF. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textOf);
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : undefined;
}

function decoded(field: string, content: Buffer): string | undefined {
  if (content.length === 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    throw invalidField(field, 'The file is not UTF-8 text. Choose a project file: YAML or JSON.', { cause });
  }
}
