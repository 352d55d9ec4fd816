import { InvalidInputError, type FieldProblem } from '#src/domain/errors.js';

/** Reads fields that people type in another form than schemas take, and keeps what is wrong with each. */
export class FieldReader {
  readonly problems: FieldProblem[] = [];

  /** @returns what `read` makes of the field; undefined when it cannot, and why is kept */
  read<T>(field: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      this.problems.push({ field, message: error.message });
      return undefined;
    }
  }
}
