import type { BrowserKind, Keep } from '#src/domain/browser-test/browser-test.js';
import { Field, Select } from '#src/web/components/form/field.js';
import { BaseUrlField } from './base-url-field.js';
import type { TestFieldsProps } from './test-form-values.js';
import { YamlField } from './yaml-field.js';

const BROWSER_NAMES: Record<BrowserKind, string> = { chromium: 'Chromium', firefox: 'Firefox' };
const KEEP: Record<Keep, string> = { failure: 'When a step fails', always: 'Always', never: 'Never' };

/** What only a browser test has. */
export function BrowserFields(props: TestFieldsProps) {
  const {
    values: { texts },
    at,
  } = props;
  const ofBrowser = ['groups', 'browser', 'device', 'viewport', 'locale', 'timezone', 'storageState'];
  const ofRecord = ['screenshots', 'trace', 'stepTimeout'];
  const inside = [...ofBrowser, ...ofRecord];
  const isOpen = Object.keys(texts).some(
    (name) => inside.includes(name.split('.')[0]!) && (texts[name] !== '' || at(name) !== undefined),
  );
  return (
    <>
      <BaseUrlField value={texts.baseUrl} problem={at('baseUrl')} relative="Addresses of the steps" />
      <YamlField
        name="steps"
        label="Steps"
        value={texts.steps}
        problem={at('steps')}
        rows={16}
        help="browserSteps"
        hint={
          <>
            One action each: <code>- click: {'{ role: button, name: Pay }'}</code>.{' '}
          </>
        }
      />
      <details class="more-fields" open={isOpen}>
        <summary>Groups of steps, device, language, pictures</summary>
        <YamlField
          name="groups"
          label="Groups"
          value={texts.groups}
          problem={at('groups')}
          rows={6}
          required={false}
          hint={
            <>
              Named groups of steps, used by the step <code>- group: sign in</code>.{' '}
            </>
          }
        />
        <Page {...props} />
        <Record {...props} />
      </details>
    </>
  );
}

/** How the page is opened. */
function Page({ values: { texts }, at }: TestFieldsProps) {
  const optional = (name: string, label: string, hint: string) => (
    <Field
      type="text"
      name={name}
      label={label}
      value={texts[name]}
      problem={at(name)}
      required={false}
      autocomplete="off"
      hint={hint}
    />
  );
  const pixels = (name: string, label: string) => (
    <Field
      type="number"
      name={name}
      label={label}
      value={texts[name]}
      problem={at(name)}
      required={false}
      min={100}
      max={8000}
    />
  );
  return (
    <>
      <div class="field-row">
        <Choice name="browser" label="Browser" none="Chromium (default)" from={BROWSER_NAMES} values={texts} at={at} />
        {optional('device', 'Device', 'A Playwright device name, such as iPhone 15.')}
      </div>
      <div class="field-row">
        {pixels('viewport.width', 'Viewport width (px)')}
        {pixels('viewport.height', 'Viewport height (px)')}
      </div>
      <div class="field-row">
        {optional('locale', 'Language', 'Such as en-GB or de-DE.')}
        {optional('timezone', 'Time zone', 'Such as Europe/Berlin.')}
        {optional('storageState', 'Cookies and storage', 'A file in the test’s folder, or {{STATE}}.')}
      </div>
    </>
  );
}

/** What is kept of it. */
function Record({ values: { texts }, at }: TestFieldsProps) {
  const usual = 'When a step fails (default)';
  return (
    <div class="field-row">
      <Choice name="screenshots" label="Pictures" none={usual} from={KEEP} values={texts} at={at} />
      <Choice name="trace" label="Trace" none={usual} from={KEEP} values={texts} at={at} />
      <Field
        type="text"
        name="stepTimeout"
        label="Step timeout"
        value={texts.stepTimeout}
        problem={at('stepTimeout')}
        required={false}
        hint="Default: 10s."
      />
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  /** Nothing is said. */
  none: string;
  from: Record<string, string>;
  values: Record<string, string>;
  at(name: string): string | undefined;
}

function Choice({ name, label, none, from, values, at }: ChoiceProps) {
  const options = [['', none], ...Object.entries(from)].map(([value, label]) => ({ value: value!, label: label! }));
  return (
    <Select name={name} label={label} options={options} value={values[name]} problem={at(name)} required={false} />
  );
}
