import { Field } from '#src/web/components/form/field.js';

/** @param relative what is relative to the base URL */
export function BaseUrlField({ relative }: { relative: string }) {
  return (
    <Field
      type="text"
      name="baseUrl"
      label="Base URL"
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
