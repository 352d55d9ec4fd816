import { Select, type SelectProps } from '#src/web/components/form/field.js';

interface ChoiceProps extends Omit<SelectProps, 'options'> {
  /** Labels by value. */
  from: Readonly<Record<string, string>>;
  /** The label of the empty value. Absent: there is none. */
  none?: string;
}

/** A choice of the values of a definition's field. */
export function Choice({ from, none, ...props }: ChoiceProps) {
  const options = Object.entries(from).map(([value, label]) => ({ value, label }));
  if (none !== undefined) options.unshift({ value: '', label: none });
  return <Select {...props} options={options} required={none === undefined} />;
}
