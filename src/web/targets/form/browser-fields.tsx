import type { BrowserKind, Keep } from '#src/domain/browser-test/browser-test.js';
import { Field } from '#src/web/components/form/field.js';
import { useForm } from '#src/web/components/form/form.js';
import { BaseUrlField } from './base-url-field.js';
import { Choice } from './choice.js';
import { YamlField } from './yaml-field.js';

const BROWSER_NAMES: Record<BrowserKind, string> = { chromium: 'Chromium', firefox: 'Firefox' };
const KEEP: Record<Keep, string> = { failure: 'When a step fails', always: 'Always', never: 'Never' };

const PAGE_FIELDS = ['browser', 'device', 'viewport.width', 'viewport.height', 'locale', 'timezone', 'storageState'];
const RECORD_FIELDS = ['screenshots', 'trace', 'stepTimeout'];

/** The fields of browser tests only. */
export function BrowserFields() {
  const { text, problemAt } = useForm();
  const isOpen = ['groups', ...PAGE_FIELDS, ...RECORD_FIELDS].some((name) => text(name) || problemAt(name));
  return (
    <>
      <BaseUrlField relative="Addresses of the steps" />
      <YamlField
        name="steps"
        label="Steps"
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
          rows={6}
          required={false}
          hint={
            <>
              Named groups of steps, used by the step <code>- group: sign in</code>.{' '}
            </>
          }
        />
        <PageFields />
        <RecordFields />
      </details>
    </>
  );
}

/** How the page is opened. */
function PageFields() {
  const optional = (name: string, label: string, hint: string) => (
    <Field type="text" name={name} label={label} required={false} autocomplete="off" hint={hint} />
  );
  const pixels = (name: string, label: string) => (
    <Field type="number" name={name} label={label} required={false} min={100} max={8000} />
  );
  return (
    <>
      <div class="field-row">
        <Choice name="browser" label="Browser" none="Chromium (default)" from={BROWSER_NAMES} />
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

/** What is recorded. */
function RecordFields() {
  const usual = 'When a step fails (default)';
  return (
    <div class="field-row">
      <Choice name="screenshots" label="Pictures" none={usual} from={KEEP} />
      <Choice name="trace" label="Trace" none={usual} from={KEEP} />
      <Field type="text" name="stepTimeout" label="Step timeout" required={false} hint="Default: 10s." />
    </div>
  );
}
