import Joi from 'joi';
import { InvalidInputError } from '#src/domain/errors.js';
import { MAX_VARIABLES, type GivenVariable, type VariableSet } from '#src/domain/variables/variables.js';
import type { GivenVariableSet } from '#src/services/variables/variable-set-services.js';
import type { VariableFields } from '#src/web/components/form/variable-row.js';
import type { VariableSetFields } from '#src/web/settings/variable-sets/page.js';
import { variableSetName } from '#src/server/routes/api/variables/variable-set-shape.js';
import { variablesOfSet } from '#src/server/routes/api/variables/variable-shapes.js';
import { checked, LOOK_BELOW } from './checked.js';
import type { Form } from './form-fields.js';

const ROW_FIELD = /^variables\.(\d{1,6})\.key$/;

const schema = Joi.object<GivenVariableSet>({
  name: variableSetName.required(),
  isDefault: Joi.boolean(),
  variables: variablesOfSet,
});

/** A variable set on record as its form shows it: no value of a secret one. */
export function fieldsOf({ name, isDefault, variables, revision }: VariableSet): VariableSetFields {
  return {
    name,
    isDefault,
    revision,
    variables: variables.map(({ key, isSecret, value = '' }) =>
      isSecret ? { key, value: '', isSecret, kept: key } : { key, value, isSecret },
    ),
  };
}

/** A variable set as it was typed, without rows that hold nothing. */
export function typedVariableSet(form: Form): VariableSetFields {
  const isUsed = ({ key, value }: VariableFields) => key !== '' || value !== '';
  return asTyped(form, ({ variable }) => isUsed(variable));
}

/** The same after the button of a row was pressed; undefined when it was another button. */
export function afterStep(form: Form): VariableSetFields | undefined {
  const step = form.text('step');
  if (step === undefined) return undefined;
  const typed = asTyped(form, ({ row }) => step !== `remove ${row}`);
  return step === 'add' ? { ...typed, variables: [...typed.variables, EMPTY_ROW] } : typed;
}

/** A row in which nothing is typed yet. */
export const EMPTY_ROW: VariableFields = { key: '', value: '', isSecret: false };

function asTyped(form: Form, isWanted: (one: { row: string; variable: VariableFields }) => boolean): VariableSetFields {
  const rows = form.names().flatMap((name) => ROW_FIELD.exec(name)?.[1] ?? []);
  const variables = rows
    // One more than there may be is refused.
    .slice(0, MAX_VARIABLES + 1)
    .map((row) => ({ row, variable: variableOf(form, `variables.${row}`) }))
    .filter(isWanted);
  return {
    name: form.raw('name'),
    isDefault: form.isChecked('isDefault'),
    revision: Number(form.raw('revision')),
    variables: variables.map(({ variable }) => variable),
  };
}

function variableOf(form: Form, field: string): VariableFields {
  return {
    key: form.raw(`${field}.key`).trim(),
    // Browsers send every line's end as two characters.
    value: form.raw(`${field}.value`).replaceAll('\r\n', '\n'),
    isSecret: form.isChecked(`${field}.isSecret`),
    kept: form.text(`${field}.kept`),
  };
}

/** The variable set that a form asks for. @throws InvalidInputError */
export function wantedVariableSet({ name, isDefault, variables }: VariableSetFields): GivenVariableSet {
  const orphans = variables.flatMap((row, index) =>
    isOrphan(row) ? [{ field: `variables.${index}.value`, message: whyOrphan(row) }] : [],
  );
  if (orphans.length > 0) throw new InvalidInputError(LOOK_BELOW, { fields: orphans });
  return checked(schema, { name, isDefault, variables: variables.map(given) });
}

/** A secret value that was left as it is. */
const isKept = ({ key, value, isSecret, kept }: VariableFields) => isSecret && value === '' && kept === key;

/** A secret value that is set, and does not go with what the row says now. */
const isOrphan = (row: VariableFields) => row.kept !== undefined && row.value === '' && !isKept(row);

function whyOrphan({ isSecret }: VariableFields): string {
  return isSecret
    ? 'Renaming a secret variable clears its value. Enter the value again.'
    : 'A secret value cannot be made visible. Enter a new value for the plain variable.';
}

function given(row: VariableFields): GivenVariable {
  const { key, value, isSecret } = row;
  return isKept(row) ? { key, isSecret } : { key, value, isSecret };
}
