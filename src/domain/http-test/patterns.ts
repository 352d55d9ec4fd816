import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compile } from 'json-p3';

/*
 * Checks of the syntax of patterns. Those with variables can only be checked after substitution. Patterns are not executed
 * here, because that may take unlimited time: it is done in a thread with a timeout.
 */

const HAS_VARIABLE = /\{\{\s*[A-Za-z_]/;

export function isJsonPath(path: string): boolean {
  return HAS_VARIABLE.test(path) || !throws(() => compile(path));
}

export function isRegularExpression(pattern: string): boolean {
  return HAS_VARIABLE.test(pattern) || !throws(() => new RegExp(pattern));
}

/** Whether `$schema` specifies a draft before 2019-09. */
export function isOldDraft(schema: object): boolean {
  return '$schema' in schema && /draft-0[67]/.test(String(schema.$schema));
}

let drafts: { old: Ajv; new: Ajv2020 } | undefined;

/** @returns why the JSON Schema is invalid; undefined if it is valid */
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
