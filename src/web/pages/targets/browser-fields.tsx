import { BaseUrlField } from './base-url-field.js';
import type { TestFieldsProps } from './test-form.js';
import { YamlField } from './yaml-field.js';

/** What only a browser test has. */
export function BrowserFields({ values: { texts }, at }: TestFieldsProps) {
  return (
    <>
      <BaseUrlField value={texts.baseUrl} problem={at('baseUrl')} relative="Addresses of the steps" />
      <YamlField name="steps" label="Steps" value={texts.steps} problem={at('steps')} rows={16} />
    </>
  );
}
