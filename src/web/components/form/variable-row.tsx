import type { FormProblem } from './form.js';

/** A variable as a form holds it. */
export interface VariableFields {
  key: string;
  /** Of a secret one that is set: empty. */
  value: string;
  isSecret: boolean;
  /** The name under which a secret value is set already. */
  kept?: string | undefined;
}

interface VariableRowProps {
  /** Its place; in a script's template, text that the script replaces. */
  index: number | string;
  variable: VariableFields;
  problem?: FormProblem | undefined;
}

/** One variable of a variable set's form: name, value, whether it is secret, and a button that removes it. */
export function VariableRow({ index, variable, problem }: VariableRowProps) {
  const { key, value, isSecret, kept } = variable;
  const field = `variables.${index}`;
  const id = `variable-${index}`;
  const wrong = problem?.fields.find((one) => one.field === field || one.field.startsWith(`${field}.`));
  const isOfValue = wrong?.field === `${field}.value`;
  const described = (isOne: boolean | undefined) =>
    isOne ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-problem` } : {};
  const of = key ? `of ${key}` : 'of the new variable';
  return (
    <li class="variable">
      {kept === undefined ? null : <input type="hidden" name={`${field}.kept`} value={kept} />}
      <input
        class={`form-control font-monospace${wrong && !isOfValue ? ' is-invalid' : ''}`}
        type="text"
        name={`${field}.key`}
        id={`${id}-key`}
        value={key}
        placeholder="NAME"
        aria-label={`Name ${of}`}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        {...described(wrong && !isOfValue)}
      />
      <textarea
        class={`form-control font-monospace${isOfValue ? ' is-invalid' : ''}`}
        name={`${field}.value`}
        id={`${id}-value`}
        rows={Math.min(6, value.split('\n').length)}
        placeholder={kept === undefined ? 'value' : 'Set (hidden)'}
        aria-label={`Value ${of}`}
        autocomplete="off"
        spellcheck={false}
        {...described(isOfValue)}
      >
        {value}
      </textarea>
      <div class="form-check">
        <input
          class="form-check-input"
          type="checkbox"
          id={`${id}-secret`}
          name={`${field}.isSecret`}
          value="true"
          checked={isSecret}
        />
        <label class="form-check-label" for={`${id}-secret`}>
          Secret
        </label>
      </div>
      <button
        type="submit"
        class="btn btn-sm btn-outline-secondary"
        name="step"
        value={`remove ${index}`}
        aria-label={`Remove ${key || 'the new variable'}`}
        data-remove-row
      >
        Remove
      </button>
      {wrong ? (
        <p class="invalid-feedback" id={`${id}-problem`}>
          {wrong.message}
        </p>
      ) : null}
    </li>
  );
}
