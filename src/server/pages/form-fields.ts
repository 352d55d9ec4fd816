import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { InvalidInputError } from '#src/domain/errors.js';
import { formField } from '#src/server/http/form.js';

/** The fields of a form as they were sent. */
export class Form {
  private readonly files = new Map<string, Promise<Buffer>>();

  constructor(private readonly payload: unknown) {}

  /** As text, as it was typed; empty where there is none. */
  raw(name: string): string {
    return formField(this.payload, name);
  }

  /** As text without space around it; undefined where it is empty. */
  text(name: string): string | undefined {
    return this.raw(name).trim() || undefined;
  }

  /** As a number; what is none stays text, for a schema to refuse. */
  number(name: string): number | string | undefined {
    const text = this.text(name);
    return text === undefined || !/^-?\d+(\.\d+)?$/.test(text) ? text : Number(text);
  }

  /** Whether a box is ticked. */
  isChecked(name: string): boolean {
    return this.raw(name) !== '';
  }

  /** The content of a file (`withFiles`); undefined where none was chosen. @throws InvalidInputError when it is no text */
  async file(name: string): Promise<string | undefined> {
    const stream = (this.payload as Record<string, unknown> | null)?.[name];
    if (!(stream instanceof Readable)) return undefined;
    // A stream is read once, a form perhaps twice.
    const content = this.files.get(name) ?? buffer(stream);
    this.files.set(name, content);
    return textOf(name, await content);
  }

  /** All values of a field that may come several times. */
  all(name: string): string[] {
    const value = (this.payload as Record<string, unknown> | null)?.[name];
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.filter((one): one is string => typeof one === 'string');
  }

  /** The names of all fields, in the order in which they were sent. */
  names(): string[] {
    return Object.keys(Object(this.payload));
  }
}

function textOf(field: string, content: Buffer): string | undefined {
  if (content.length === 0) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    const message = 'The file is not UTF-8 text. Choose a project file: YAML or JSON.';
    throw new InvalidInputError(message, { cause, fields: [{ field, message }] });
  }
}
