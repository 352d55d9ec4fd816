import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import QuickLRU from 'quick-lru';
import { isOldDraft } from '#src/domain/http-test/patterns.js';
import type { Body, Failure } from './seen-answer.js';

const MOST_TOLD = 5;
/** Compiled schemas that are kept: a request that polls has its schema compiled once. */
const MOST_KEPT = 20;

/** An unknown keyword is a slip, and refused; what is only unusual is not. */
const OPTIONS: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  strictTuples: false,
  allErrors: true,
};

const compiled = new QuickLRU<string, ValidateFunction>({ maxSize: MOST_KEPT });

/** @returns the first few places at which the answer is not as its JSON Schema says */
export function checkSchema(body: Body, schema: object): Failure[] {
  const { json } = body;
  if ('problem' in json) return [{ text: `expected JSON that matches the schema, but ${json.problem}` }];
  try {
    const validate = validatorOf(schema);
    if (validate(json.value)) return [];
    const errors = validate.errors ?? [];
    const told = errors.slice(0, MOST_TOLD).map(({ instancePath, message, params }) => ({
      text: `expected JSON that matches the schema, but ${instancePath || 'the response'} ${message}${detailOf(params)}`,
    }));
    const more = errors.length - told.length;
    return more > 0 ? [...told, { text: `and does not match the schema in ${more} more places` }] : told;
  } catch (error) {
    return [{ text: `the schema cannot be used: ${(error as Error).message}` }];
  }
}

function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const kept = compiled.get(key);
  if (kept) return kept;
  const ajv = isOldDraft(schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats.default(ajv as Ajv);
  const validate = ajv.compile(schema);
  compiled.set(key, validate);
  return validate;
}

/** What the message leaves out. */
function detailOf(params: Record<string, unknown>): string {
  if ('allowedValues' in params) return `: ${JSON.stringify(params.allowedValues)}`;
  if ('additionalProperty' in params) return `: ${String(params.additionalProperty)}`;
  return '';
}
