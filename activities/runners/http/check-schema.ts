import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import QuickLRU from 'quick-lru';
import { isOldDraft } from '#src/domain/http-test/patterns.js';
import type { Body, Failure } from './response-snapshot.js';

const MAX_FAILURES = 5;
/** Size of the cache of compiled schemas, for requests that are retried. */
const CACHE_SIZE = 20;

/** Unknown keywords are probably mistakes and refused; unusual schemas are allowed. */
const OPTIONS: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  strictTuples: false,
  allErrors: true,
};

const compiled = new QuickLRU<string, ValidateFunction>({ maxSize: CACHE_SIZE });

/** @returns the first few violations of the JSON Schema */
export function checkSchema(body: Body, schema: object): Failure[] {
  const { json } = body;
  if ('problem' in json) return [{ text: `expected JSON that matches the schema, but ${json.problem}` }];
  try {
    const validate = validatorOf(schema);
    if (validate(json.value)) return [];
    const errors = validate.errors ?? [];
    const failures = errors.slice(0, MAX_FAILURES).map(({ instancePath, message, params }) => ({
      text: `expected JSON that matches the schema, but ${instancePath || 'the response'} ${message}${detailOf(params)}`,
    }));
    const more = errors.length - failures.length;
    return more > 0 ? [...failures, { text: `and does not match the schema in ${more} more places` }] : failures;
  } catch (error) {
    return [{ text: `the schema cannot be used: ${(error as Error).message}` }];
  }
}

function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const cached = compiled.get(key);
  if (cached) return cached;
  const ajv = isOldDraft(schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats.default(ajv as Ajv);
  const validate = ajv.compile(schema);
  compiled.set(key, validate);
  return validate;
}

/** Details that Ajv's message omits. */
function detailOf(params: Record<string, unknown>): string {
  if ('allowedValues' in params) return `: ${JSON.stringify(params.allowedValues)}`;
  if ('additionalProperty' in params) return `: ${String(params.additionalProperty)}`;
  return '';
}
