import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compile } from 'json-p3';

/*
 * Whether what a test gives to look for is written right. What names variables is known only when they are filled in. Nothing
 * is applied or compiled to code here: that may take as long as somebody wants, and is done in a thread with a deadline.
 */

const HAS_PLACE = /\{\{\s*[A-Za-z_]/;

export function isJsonPath(path: string): boolean {
  return HAS_PLACE.test(path) || !throws(() => compile(path));
}

export function isRegularExpression(pattern: string): boolean {
  return HAS_PLACE.test(pattern) || !throws(() => new RegExp(pattern));
}

/** Whether a JSON Schema says that it is of a draft before 2019-09. */
export function isOldDraft(schema: object): boolean {
  return '$schema' in schema && /draft-0[67]/.test(String(schema.$schema));
}

let drafts: { old: Ajv; new: Ajv2020 } | undefined;

/** @returns why it is none; undefined: it is one */
export function whyNoJsonSchema(schema: object): string | undefined {
  drafts ??= { old: new Ajv(), new: new Ajv2020() };
  const draft = isOldDraft(schema) ? drafts.old : drafts.new;
  try {
    return draft.validateSchema(schema) ? undefined : draft.errorsText(draft.errors, { dataVar: 'schema' });
  } catch (error) {
    return (error as Error).message;
  }
}

function throws(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch {
    return true;
  }
}
