import { InvalidInputError } from '#src/domain/errors.js';
import type { RefusedForm } from '#src/server/http/form.js';
import type { Form } from './form-fields.js';

/** The revision that a form was opened with. @throws InvalidInputError */
export function revisionOf(form: Form): number {
  const revision = form.number('revision');
  if (typeof revision !== 'number') throw new InvalidInputError('The form is incomplete. Reload the page.');
  return revision;
}

/**
 * The revision that a form is shown with again: the one that it was opened with, so that the next Save is refused like
 * this one if the record has changed. Only a form that reports the change gets the current one.
 * @throws InvalidInputError
 */
export function revisionAgain(form: Form, problem: RefusedForm, current: number): number {
  return problem.statusCode === 412 ? current : revisionOf(form);
}
