import { formField } from '../form.js';

/** The fields of a form as they were sent. */
export class Form {
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
