import type { ComponentChildren } from 'preact';
import { DocsLink } from '#src/web/components/docs-link.js';
import type { DocTopic } from '#src/web/texts/doc-links.js';
import { useForm } from './form.js';

interface CommonProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** What the documentation says about it. */
  help?: DocTopic | undefined;
  required?: boolean;
}

/* The fields of a form show its text for their names and what is wrong with it, unless they are given others. */

interface FieldProps extends CommonProps {
  type: 'text' | 'email' | 'password' | 'number' | 'search' | 'datetime-local' | 'file';
  /** What browsers fill in, such as `current-password`. */
  autocomplete?: string;
  value?: string | undefined;
  minLength?: number;
  min?: number;
  max?: number;
  autofocus?: boolean;
  /** The id of a datalist to choose from. */
  list?: string;
}

/** Never sent back to the browser. */
const NEVER_REPEATED = ['password', 'file'];

/** A labelled field of one line. Its id is its name: a form's fields are unique on their page. */
export function Field({ name, label, hint, help, required = true, type, value, ...rest }: FieldProps) {
  const { text, problemAt } = useForm();
  const problem = problemAt(name);
  return (
    <Labelled name={name} label={label} hint={hint} help={help} problem={problem}>
      <input
        class={`form-control${problem ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        // The type of the element's props is a union by `type`; these take the same.
        type={type as 'text'}
        required={required}
        value={value ?? (NEVER_REPEATED.includes(type) ? undefined : text(name))}
        {...describedBy(name, hint ?? help, problem)}
        {...rest}
      />
    </Labelled>
  );
}

export interface TextAreaProps extends CommonProps {
  /** How a saved text is shown when it differs. */
  labelOf?: ((text: string) => string) | undefined;
  rows?: number;
  /** Of fixed width: commands, files. */
  isCode?: boolean;
}

/** A labelled field of several lines. */
export function TextArea({ name, label, hint, help, required = true, rows = 4, isCode, labelOf }: TextAreaProps) {
  const { text, problemAt } = useForm();
  const problem = problemAt(name, labelOf);
  return (
    <Labelled name={name} label={label} hint={hint} help={help} problem={problem}>
      <textarea
        class={`form-control${isCode ? ' font-monospace' : ''}${problem ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        rows={rows}
        required={required}
        spellcheck={!isCode}
        {...describedBy(name, hint ?? help, problem)}
      >
        {text(name)}
      </textarea>
    </Labelled>
  );
}

export interface SelectProps extends CommonProps {
  options: readonly { value: string; label: string }[];
  value?: string | undefined;
}

/** A labelled choice of one. */
export function Select({ name, label, hint, help, required = true, options, value: given }: SelectProps) {
  const { text, problemAt } = useForm();
  const problem = problemAt(name, (saved) => options.find(({ value }) => value === saved)?.label ?? saved);
  const value = given ?? text(name);
  return (
    <Labelled name={name} label={label} hint={hint} help={help} problem={problem}>
      <select
        class={`form-select${problem ? ' is-invalid' : ''}`}
        id={name}
        name={name}
        required={required}
        {...describedBy(name, hint ?? help, problem)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A labelled box to tick. */
export function CheckBox({ name, label, value = 'true', ...given }: CheckBoxProps) {
  const form = useForm();
  const isChecked = given.isChecked ?? form.isChecked(name, value);
  const id = `${name}-${value}`;
  return (
    <div class="form-check">
      <input class="form-check-input" type="checkbox" id={id} name={name} value={value} checked={isChecked} />
      <label class="form-check-label" for={id}>
        {label}
      </label>
    </div>
  );
}

interface CheckBoxProps {
  name: string;
  label: string;
  isChecked?: boolean;
  /** What is sent when it is ticked. */
  value?: string;
}

interface LabelledProps extends CommonProps {
  problem: string | undefined;
  children: ComponentChildren;
}

function Labelled({ name, label, hint, help, problem, children }: LabelledProps) {
  return (
    <div class="field">
      <label class="form-label" for={name}>
        {label}
      </label>
      {children}
      {problem ? (
        <div class="invalid-feedback" id={`${name}-problem`}>
          {problem}
        </div>
      ) : null}
      {hint || help ? (
        <div class="form-text" id={`${name}-hint`}>
          {hint} {help ? <DocsLink to={help} /> : null}
        </div>
      ) : null}
    </div>
  );
}

function describedBy(name: string, hint: ComponentChildren, problem: string | undefined) {
  const ids = [problem ? `${name}-problem` : '', hint ? `${name}-hint` : ''].filter(Boolean);
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': problem ? ('true' as const) : undefined };
}
