import type { VariableSet } from '#src/domain/variables/variables.js';
import { CheckBox, Field, Select } from '#src/web/components/form/field.js';
import { DefaultButton } from '#src/web/components/form/form-buttons.js';
import { ItemFormPage, type ItemFormProps } from '#src/web/components/form/item-form-page.js';
import { NextTimes } from '#src/web/components/next-times.js';

/** What a cron and a zone come to so far. */
export interface Preview {
  times: readonly Date[];
  timeZone: string;
}

interface ScheduleFormPageProps extends ItemFormProps {
  variableSets: readonly Pick<VariableSet, '_id' | 'name'>[];
  /** Suggested names of tests and suites. */
  targets: readonly string[];
  timeZones: readonly string[];
  preview: Preview;
}

/** The form of a schedule. */
export function ScheduleFormPage({ variableSets, targets, timeZones, preview, ...props }: ScheduleFormPageProps) {
  return (
    <ItemFormPage {...props} kind="schedule">
      <DefaultButton />
      <Field name="name" label="Name" type="text" />
      <Select
        name="kind"
        label="Starts"
        options={[
          { value: 'suite', label: 'A suite' },
          { value: 'test', label: 'A test' },
        ]}
      />
      <Field name="target" label="Name of the test or suite" type="text" list="targets" />
      <Names id="targets" names={targets} />
      <Field
        name="cron"
        label="When"
        help="cron"
        type="text"
        hint={
          <>
            Minute, hour, day of the month, month, day of the week: <code>0 6 * * 1-5</code> is 06:00 Monday to Friday,{' '}
            <code>*/15 * * * *</code> every 15 minutes. Or <code>@hourly</code>, <code>@daily</code>,{' '}
            <code>@weekly</code>, <code>@monthly</code>, <code>@yearly</code>.
          </>
        }
      />
      <Field
        name="timeZone"
        label="Time zone"
        type="text"
        list="timeZones"
        hint="An IANA name, such as Europe/Stockholm or UTC."
      />
      <Names id="timeZones" names={timeZones} />
      <div
        id="next-times"
        aria-live="polite"
        hx-get={`/projects/${props.project.id}/schedules/preview`}
        hx-include="#cron, #timeZone"
        hx-trigger="input delay:300ms from:#cron, input delay:300ms from:#timeZone"
      >
        <PreviewPart {...preview} />
      </div>
      <p>
        <button type="submit" class="btn btn-sm btn-outline-primary" name="step" value="preview" formnovalidate>
          Preview next five runs
        </button>
      </p>
      <Field
        name="catchUpMs"
        label="Catch-up window"
        help="outagesAndOverlap"
        type="text"
        hint="After an outage, runs that are later than this are skipped: 10m, 1h, up to 168h."
      />
      {variableSets.length > 0 ? (
        <Select
          name="runProfileId"
          label="Variable set"
          help="variables"
          required={false}
          options={[
            { value: '', label: 'Default only' },
            ...variableSets.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
        />
      ) : null}
      <CheckBox name="paused" label="Paused" />
    </ItemFormPage>
  );
}

/** Answers GET …/schedules/preview, and stands in the form. */
export function PreviewPart({ times, timeZone }: Preview) {
  return times.length > 0 ? (
    <NextTimes times={times} timeZone={timeZone} />
  ) : (
    <p class="muted">Enter a cron expression and a time zone to preview the next runs.</p>
  );
}

function Names({ id, names }: { id: string; names: readonly string[] }) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
