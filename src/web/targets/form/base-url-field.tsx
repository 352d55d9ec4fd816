import { Field } from '#src/web/components/form/field.js';

export interface BaseUrlProps {
  value: string | undefined;
  problem: string | undefined;
  /** What is relative to it. */
  relative: string;
}

export function BaseUrlField({ value, problem, relative }: BaseUrlProps) {
  return (
    <Field
      type="text"
      name="baseUrl"
      label="Base URL"
      value={value}
      problem={problem}
      required={false}
      autocomplete="off"
      hint={
        <>
          {relative} are relative to it: <code>https://shop.example</code>, or <code>{'{{BASE_URL}}'}</code> from a
          variable set.
        </>
      }
    />
  );
}
