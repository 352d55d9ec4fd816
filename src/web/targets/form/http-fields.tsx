import { CheckBox, Select } from '#src/web/components/form/field.js';
import { BaseUrlField } from './base-url-field.js';
import type { TestFieldsProps } from './test-form-values.js';
import { YamlField } from './yaml-field.js';

const COOKIES = [
  { value: '', label: 'Kept between requests (default)' },
  { value: 'keep', label: 'Kept between requests' },
  { value: 'none', label: 'Not kept' },
];

/** What only an HTTP test has. */
export function HttpFields({ values: { texts }, at }: TestFieldsProps) {
  const isOpen = ['headers', 'cookies', 'insecure'].some((name) => texts[name] || at(name));
  return (
    <>
      <BaseUrlField value={texts.baseUrl} problem={at('baseUrl')} relative="Addresses of the requests" />
      <YamlField
        name="requests"
        label="Requests"
        value={texts.requests}
        problem={at('requests')}
        rows={16}
        help="httpRequests"
        hint={
          <>
            Executed in order. Later requests can use a captured value as <code>{'{{ORDER}}'}</code>.{' '}
          </>
        }
      />
      <details class="more-fields" open={isOpen}>
        <summary>Request headers, cookies, certificates</summary>
        <YamlField
          name="headers"
          label="Headers"
          value={texts.headers}
          problem={at('headers')}
          rows={3}
          required={false}
          hint={
            <>
              One per line: <code>Accept: application/json</code>.{' '}
            </>
          }
        />
        <Select
          name="cookies"
          label="Cookies"
          options={COOKIES}
          value={texts.cookies}
          problem={at('cookies')}
          required={false}
        />
        <CheckBox
          name="insecure"
          label="Accept invalid certificates (test systems only)"
          isChecked={texts.insecure === 'true'}
        />
      </details>
    </>
  );
}
