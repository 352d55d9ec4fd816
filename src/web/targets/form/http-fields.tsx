import { CheckBox, Select } from '#src/web/components/form/field.js';
import { useForm } from '#src/web/components/form/form.js';
import { BaseUrlField } from './base-url-field.js';
import { YamlField } from './yaml-field.js';

const COOKIES = [
  { value: '', label: 'Kept between requests (default)' },
  { value: 'keep', label: 'Kept between requests' },
  { value: 'none', label: 'Not kept' },
];

/** The fields of HTTP tests only. */
export function HttpFields() {
  const { text, problemAt } = useForm();
  const isOpen = ['headers', 'cookies', 'insecure'].some((name) => text(name) || problemAt(name));
  return (
    <>
      <BaseUrlField relative="Addresses of the requests" />
      <YamlField
        name="requests"
        label="Requests"
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
          rows={3}
          required={false}
          hint={
            <>
              One per line: <code>Accept: application/json</code>.{' '}
            </>
          }
        />
        <Select name="cookies" label="Cookies" options={COOKIES} required={false} />
        <CheckBox name="insecure" label="Accept invalid certificates (test systems only)" />
      </details>
    </>
  );
}
