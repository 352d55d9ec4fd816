import type Joi from 'joi';
import type { VNode } from 'preact';
import { ConflictError, InvalidInputError } from '#src/domain/errors.js';
import type { ProjectItem } from '#src/domain/records.js';
import type { NewItem } from '#src/services/targets/target-service.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { EditPageProps } from '#src/web/targets/edit/page.js';
import type { Form } from '#src/server/pages/form-fields.js';

/** The form of tests, or of suites. */
export interface TargetForm<Definition extends object, Values> {
  maxBytes: number;
  /** Names of its fields. */
  fields: readonly string[];
  /**
   * What the form asks for.
   * @param there what is edited: a text that was not touched is what it was, whatever was lost in writing it
   * @throws InvalidInputError
   */
  read(form: Form, there: ProjectItem<Definition> | undefined): NewItem<Definition>;
  /** Fields that the address of the page of a new one may have. */
  query?: Joi.SchemaMap;
  /** What stands in the fields: of a new one, as its page's address asks for it, or of one that is there. */
  valuesOf(target: ProjectItem<Definition> | undefined, asked?: Record<string, unknown>): Promise<Values>;
  /** As it was typed. */
  typed(form: Form, projectId: string): Promise<Values>;
  /** A field as a person compares it. */
  shown(values: Values, field: string): string;
  page(props: Omit<EditPageProps, 'kind' | 'children' | 'assets'>, values: Values): VNode | Promise<VNode>;
}

/** Says at each field that differs what somebody else has saved meanwhile, so that nobody replaces it unseen. */
export function meanwhile<Values>(
  form: Pick<TargetForm<object, Values>, 'fields' | 'shown'>,
  typed: Values,
  theirs: Values,
): FormProblem {
  const fields = form.fields.flatMap((field) => {
    const [mine, saved] = [form.shown(typed, field), form.shown(theirs, field)];
    return mine === saved
      ? []
      : [{ field, message: saved === '' ? 'Current value: empty' : `Current value: ${saved}` }];
  });
  const message =
    'Someone else saved changes after you opened this page. The form contains your changes, and the current value is shown ' +
    'below each field that differs. Save again to overwrite their changes, or cancel to keep them.';
  return { message, fields };
}

/** Puts the problem of a name that is taken at its field. */
export async function withNameAtField<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof ConflictError && error.code === 'name_taken')) throw error;
    const { message } = error;
    throw new InvalidInputError(message, { cause: error, fields: [{ field: 'name', message }] });
  }
}
