import { BaseUrlField } from './base-url-field.js';
import type { TestFieldsProps } from './test-form.js';
import { YamlField } from './yaml-field.js';

/** What only an HTTP test has. */
export function HttpFields({ values: { texts }, at }: TestFieldsProps) {
  return (
    <>
      <BaseUrlField value={texts.baseUrl} problem={at('baseUrl')} relative="Addresses of the requests" />
      <YamlField name="requests" label="Requests" value={texts.requests} problem={at('requests')} rows={16} />
    </>
  );
}
