import Joi from 'joi';
import { must, text } from './definition-fields.js';
import { LONGEST_GLOB, problemOfGlobs } from './glob.js';

/* Artifacts and results of a test. */

const BELOW = 'a path or glob of files below the working folder, such as report/** or out/*.xml';
/** `..` as a part of the path, in braces and groups too. */
const LEADS_OUT = /(^|[/{(,|])\.\.($|[/}),|])/;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** A relative path inside the folder; symbolic links are checked when the test runs. */
const glob = text()
  .min(1)
  .max(LONGEST_GLOB)
  .custom((value: string, helpers) => {
    const path = value.replace(/^!/, '').replace(/\\(.)/gs, '$1');
    if (path.trim() === '' || CONTROL.test(path)) return helpers.error('any.invalid');
    if (path.startsWith('/') || /[{(,|]\//.test(path)) return helpers.error('glob.absolute');
    if (LEADS_OUT.test(path)) return helpers.error('glob.out');
    if (path.startsWith('-')) return helpers.error('glob.dash');
    const problem = problemOfGlobs(value);
    return problem === undefined ? value : helpers.error('glob.problem', { problem });
  })
  .messages({
    ...must(BELOW),
    'glob.absolute': `{{#label}} must not start with /: use ${BELOW}`,
    'glob.out': `{{#label}} must not leave the working folder with ..: use ${BELOW}`,
    'glob.dash': `{{#label}} must not start with -: add ./ in front`,
    'glob.problem': '{{#label}} {{#problem}}',
  });

export const artifacts = Joi.array().items(glob).max(50).custom(withinBounds).messages({
  'glob.problem': '{{#label}} {{#problem}}',
  'array.base': '{{#label}} must be a list of up to 50 globs of files below the working folder, such as ["report/**"]',
  'array.max': '{{#label}} must be a list of up to 50 globs; a glob can match a folder, such as report',
});

export const results = Joi.object({ junit: glob.required() }).messages({
  'object.base': '{{#label}} must be a map with the field junit',
  'object.unknown': '{{#label}} is not a field of results; the field is junit',
});

/** Limits the total size of several globs. */
export function withinBounds(globs: string[], helpers: Joi.CustomHelpers): string[] | Joi.ErrorReport {
  const problem = problemOfGlobs(...globs);
  return problem === undefined ? globs : helpers.error('glob.problem', { problem });
}
