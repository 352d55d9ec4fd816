import Joi from 'joi';
import { known, must, text, wholeNumber } from '#src/domain/targets/definition-fields.js';
import { JSON_TYPES, type HttpCaptures, type HttpExpectations } from './expectations.js';
import { json } from '#src/domain/json.js';
import { isJsonPath, isRegularExpression, whyNoJsonSchema } from './patterns.js';

/* Fields of expectations and captures. */

const VARIABLE = /^(?!RUNHOOK_)[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const LONGEST_SCHEMA = 64 * 1024;

const checked = (isGood: (value: string) => boolean, expected: string) =>
  text()
    .min(1)
    .max(2000)
    .custom((value: string, helpers) => (isGood(value) ? value : helpers.error('any.invalid')))
    .messages(must(expected));

const jsonPath = checked(isJsonPath, 'a JSONPath, such as $.items[0].price');
const regularExpression = checked(isRegularExpression, 'a regular expression, such as ^Order \\d+$');
const headerName = text().min(1).max(200).messages(must('a header name'));
const shownText = text().allow('').max(100_000).messages(must('a string of up to 100,000 characters'));
const flag = Joi.boolean().messages(must('true or false'));

const status = Joi.alternatives(Joi.number().integer().min(100).max(599), Joi.string().pattern(/^[1-5]xx$/));

const textFields = { equals: shownText, contains: shownText, matches: regularExpression };

const header = Joi.alternatives(shownText, Joi.object({ ...textFields, exists: flag }).min(1)).messages(
  must('the value, such as application/json*, or a map with equals, contains, matches or exists'),
);

const ofJson = { equals: json, contains: json, matches: regularExpression, exists: flag };
const ofJsonNumbers = {
  type: Joi.string()
    .valid(...JSON_TYPES)
    .messages(must(`one of ${JSON_TYPES.join(', ')}`)),
  count: wholeNumber(0, 10_000_000),
  lessThan: Joi.number().messages(must('a number')),
  greaterThan: Joi.number().messages(must('a number')),
};
const jsonOperators = { ...ofJson, ...ofJsonNumbers };

const jsonExpectation = known('a JSON expectation', { path: jsonPath.required(), ...jsonOperators })
  .or(...Object.keys(jsonOperators))
  .messages({ 'object.missing': `{{#label}} must have at least one of ${Object.keys(jsonOperators).join(', ')}` });

const schema = Joi.object()
  .unknown()
  .custom((value: object, helpers) => {
    const why = JSON.stringify(value).length > LONGEST_SCHEMA ? 'it is larger than 64 KiB' : whyNoJsonSchema(value);
    return why === undefined ? value : helpers.error('schema.invalid', { why });
  })
  .messages({
    'object.base': '{{#label}} must be a JSON Schema',
    'schema.invalid': '{{#label}} is not a valid JSON Schema: {{#why}}',
  });

export const expectations = (duration: Joi.Schema) =>
  known<HttpExpectations>('expect', {
    status: Joi.alternatives(status, Joi.array().items(status).min(1).max(50)).messages(
      must('a status such as 200, a class such as 2xx, or a list of them'),
    ),
    headers: Joi.object()
      .pattern(Joi.string().max(200), header)
      .messages(must('a map of headers, such as content-type: application/json*')),
    json: Joi.array()
      .items(jsonExpectation)
      .min(1)
      .max(200)
      .messages(must('a list of 1 to 200 expectations, such as { path: $.total, equals: 12.5 }')),
    schema,
    schemaFile: text().min(1).max(1000).messages(must('the path of a file in the working folder')),
    text: known('text', textFields)
      .min(1)
      .messages({ 'object.min': '{{#label}} must have at least one of equals, contains, matches' }),
    time: known('time', { below: duration.required() }),
  });

const places = {
  json: jsonPath,
  header: headerName,
  text: regularExpression,
  cookie: text().min(1).max(200).messages(must('a cookie name')),
  status: Joi.boolean().valid(true).messages(must('true')),
};

export const capture = Joi.object<HttpCaptures>()
  .pattern(
    VARIABLE,
    known('capture', { ...places, secret: flag })
      .xor(...Object.keys(places))
      .messages({
        'object.missing': `{{#label}} must have one of ${Object.keys(places).join(', ')}`,
        'object.xor': `{{#label}} must have only one of ${Object.keys(places).join(', ')}`,
      }),
  )
  .messages({
    ...must('a map of variable names, such as ORDER: { json: $.id }'),
    'object.unknown':
      '{{#label}} is not a valid variable name: use letters, digits and underscores, not starting with a digit; names that start with RUNHOOK_ are reserved',
  });
