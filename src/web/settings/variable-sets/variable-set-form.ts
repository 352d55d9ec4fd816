import Joi from 'joi';
import { InvalidInputError } from '#src/domain/errors.js';
import { MAX_VARIABLES, type GivenVariable, type VariableSet } from '#src/domain/variables/variables.js';
import { checked, LOOK_BELOW } from '#src/server/forms/checked.js';
import type { SubmittedForm } from '#src/server/forms/submitted-form.js';
import { variableSetName } from '#src/server/routes/api/variables/variable-set-shape.js';
import { variablesOfSet } from '#src/server/routes/api/variables/variable-shapes.js';
import type { VariableSetInput } from '#src/services/variables/variable-set-services.js';
import type { VariableFields } from '#src/web/components/form/variable-row.js';
import type { VariableSetValues } from './page.js';

const ROW_FIELD = /^variables\.(\d{1,6})\.key$/;
const EMPTY_ROW: VariableFields = { key: '', value: '', isSecret: false };

const schema = Joi.object<VariableSetInput>({
  name: variableSetName.required(),
  isDefault: Joi.boolean(),
  variables: variablesOfSet,
});

export const NEW_VALUES: VariableSetValues = { name: '', isDefault: '', variables: [EMPTY_ROW] };

/** What the form contains for a variable set: no secret values. */
export function valuesOf({ name, isDefault, variables }: VariableSet): VariableSetValues {
  return {
    name,
    isDefault: isDefault ? 'true' : '',
    variables: variables.map(({ key, isSecret, value = '' }) =>
      isSecret ? { key, value: '', isSecret, kept: key } : { key, value, isSecret },
    ),
  };
}

/** The form as submitted, without empty rows. */
export function submittedValues(form: SubmittedForm): VariableSetValues {
  return valuesIn(form, (_row, { key, value }) => key !== '' || value !== '');
}

/** The form after a row was added or removed; undefined if another button was pressed. */
export function afterStep(form: SubmittedForm): VariableSetValues | undefined {
  const step = form.text('step');
  if (step === undefined) return undefined;
  const values = valuesIn(form, (row) => step !== `remove ${row}`);
  return step === 'add' ? { ...values, variables: [...values.variables, EMPTY_ROW] } : values;
}

function valuesIn(
  form: SubmittedForm,
  isIncluded: (row: string, variable: VariableFields) => boolean,
): VariableSetValues {
  const rows = Object.keys(form.values).flatMap((name) => ROW_FIELD.exec(name)?.[1] ?? []);
  const variables = rows
    // One more than allowed is rejected.
    .slice(0, MAX_VARIABLES + 1)
    .map((row) => [row, variableIn(form, `variables.${row}`)] as const)
    .filter((one) => isIncluded(...one));
  return {
    name: form.raw('name'),
    isDefault: form.raw('isDefault'),
    variables: variables.map(([, variable]) => variable),
  };
}

function variableIn(form: SubmittedForm, field: string): VariableFields {
  return {
    key: form.raw(`${field}.key`).trim(),
    value: form.raw(`${field}.value`),
    isSecret: form.isChecked(`${field}.isSecret`),
    kept: form.text(`${field}.kept`),
  };
}

/** The variable set that a form asks for. @throws InvalidInputError */
export function readVariableSet(form: SubmittedForm): VariableSetInput {
  const { name, isDefault, variables } = submittedValues(form);
  const lost = variables.flatMap((row, index) =>
    losesSecret(row) ? [{ field: `variables.${index}.value`, message: whyLost(row) }] : [],
  );
  if (lost.length > 0) throw new InvalidInputError(LOOK_BELOW, { fields: lost });
  return checked(schema, { name, isDefault: isDefault !== '', variables: variables.map(given) });
}

/** A secret value that was not changed. */
const isKept = ({ key, value, isSecret, kept }: VariableFields) => isSecret && value === '' && kept === key;

/** A saved secret value would be assigned to another name, or become visible. */
const losesSecret = (row: VariableFields) => row.kept !== undefined && row.value === '' && !isKept(row);

function whyLost({ isSecret }: VariableFields): string {
  return isSecret
    ? 'Renaming a secret variable clears its value. Enter the value again.'
    : 'A secret value cannot be made visible. Enter a new value for the plain variable.';
}

function given(row: VariableFields): GivenVariable {
  const { key, value, isSecret } = row;
  return isKept(row) ? { key, isSecret } : { key, value, isSecret };
}
