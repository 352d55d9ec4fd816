export interface FieldProps {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  /** What browsers fill in: `current-password` and the like. */
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  required?: boolean;
  minLength?: number;
  autofocus?: boolean;
}

/** A labelled field of a form. */
export function Field({ name, label, type, autocomplete, value, hint, required = true, ...rest }: FieldProps) {
  const { minLength, autofocus } = rest;
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        // The type of the element's props is a union by `type`; these three take the same.
        type={type as 'text'}
        autocomplete={autocomplete}
        value={value}
        required={required}
        minLength={minLength}
        autofocus={autofocus}
        aria-describedby={hint ? `${name}-hint` : undefined}
      />
      {hint ? (
        <span class="muted" id={`${name}-hint`}>
          {hint}
        </span>
      ) : null}
    </p>
  );
}
