import { CheckBox, Select } from '../../components/field.js';
import { BaseUrlField } from './base-url-field.js';
import type { TestFieldsProps } from './test-form.js';
import { YamlField } from './yaml-field.js';

const COOKIES = [
  { value: '', label: 'Kept from request to request, as usual' },
  { value: 'keep', label: 'Kept from request to request' },
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
        hint={
          <>
            One after the other; what one captures, later ones write as <code>{'{{ORDER}}'}</code>.{' '}
          </>
        }
      />
      <details class="more-fields" open={isOpen}>
        <summary>Headers of every request, cookies, certificates</summary>
        <YamlField
          name="headers"
          label="Headers"
          value={texts.headers}
          problem={at('headers')}
          rows={3}
          required={false}
          hint={
            <>
              One a line: <code>Accept: application/json</code>.{' '}
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
          label="Take certificates that are not valid (of a machine for tests)"
          isChecked={texts.insecure === 'true'}
        />
      </details>
    </>
  );
}
