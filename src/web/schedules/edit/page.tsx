import { CheckBox, Field, Select } from '#src/web/components/form/field.js';
import { Form, problemOf, type FormProblem } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { NextTimes } from '#src/web/components/next-times.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { PageContext, ProjectContext, Viewer } from '#src/web/layout/page-context.js';

/** A schedule as its form holds it. */
export interface ScheduleFormValues {
  name: string;
  kind: string;
  /** The name of the test or suite. */
  target: string;
  cron: string;
  timeZone: string;
  catchUp: string;
  paused: boolean;
  runProfileId: string;
}

/** What a cron and a zone come to so far. */
export interface Preview {
  times: readonly Date[];
  timeZone: string;
}

export interface ScheduleEditProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  /** None: a new one. */
  edited?: { id: string; name: string; revision: number } | undefined;
  values: ScheduleFormValues;
  variableSets: readonly { id: string; name: string }[];
  /** Names to choose from: the first ones. */
  targets: readonly string[];
  timeZones: readonly string[];
  preview?: Preview | undefined;
  problem?: FormProblem | undefined;
}

/** GET /projects/{id}/schedules/new and /schedules/{id}/edit */
export function ScheduleEditPage(props: ScheduleEditProps) {
  const { page, project, edited, values, variableSets, targets, timeZones, preview, problem } = props;
  const title = edited ? `Edit “${edited.name}”` : 'New schedule';
  const list = `/projects/${project.id}/schedules`;
  const at = (field: keyof ScheduleFormValues) => ({
    problem: problemOf(problem, field),
    value: String(values[field]),
  });
  return (
    <ProjectLayout page={page} project={project} section="schedules" title={title} assets={['targets.css']}>
      <h1>{title}</h1>
      <Form
        action={edited ? `/schedules/${edited.id}/edit` : `${list}/new`}
        viewer={page.viewer}
        problem={problem}
        class="wide-form"
      >
        {/* What the Enter key presses: not the preview. */}
        <button type="submit" class="visually-hidden" tabindex={-1} aria-hidden="true">
          Save
        </button>
        {edited ? <input type="hidden" name="revision" value={String(edited.revision)} /> : null}
        <Field name="name" label="Name" type="text" {...at('name')} />
        <Select
          name="kind"
          label="Starts"
          options={[
            { value: 'suite', label: 'A suite' },
            { value: 'test', label: 'A test' },
          ]}
          {...at('kind')}
        />
        <Field name="target" label="Name of the test or suite" type="text" list="targets" {...at('target')} />
        <Names id="targets" names={targets} />
        <Field
          name="cron"
          label="When"
          help="cron"
          type="text"
          hint={
            <>
              Minute, hour, day of the month, month, day of the week: <code>0 6 * * 1-5</code> is 06:00 Monday to
              Friday, <code>*/15 * * * *</code> every 15 minutes. Or <code>@hourly</code>, <code>@daily</code>,{' '}
              <code>@weekly</code>, <code>@monthly</code>, <code>@yearly</code>.
            </>
          }
          {...at('cron')}
        />
        <Field
          name="timeZone"
          label="Time zone"
          type="text"
          list="timeZones"
          hint="An IANA name, such as Europe/Stockholm or UTC."
          {...at('timeZone')}
        />
        <Names id="timeZones" names={timeZones} />
        <div
          id="next-times"
          aria-live="polite"
          hx-get={`${list}/preview`}
          hx-include="#cron, #timeZone"
          hx-trigger="input delay:300ms from:#cron, input delay:300ms from:#timeZone"
        >
          {preview ? <PreviewPart {...preview} /> : null}
        </div>
        <p>
          <button type="submit" class="btn btn-sm btn-outline-primary" name="step" value="preview" formnovalidate>
            Preview next five runs
          </button>
        </p>
        <Field
          name="catchUp"
          label="Catch-up window"
          help="outagesAndOverlap"
          type="text"
          hint="After an outage, runs that are later than this are skipped: 10m, 1h, up to 168h."
          {...at('catchUp')}
        />
        {variableSets.length > 0 ? (
          <Select
            name="runProfileId"
            label="Variable set"
            help="variables"
            required={false}
            options={[
              { value: '', label: 'Default only' },
              ...variableSets.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...at('runProfileId')}
          />
        ) : null}
        <CheckBox name="paused" label="Paused" isChecked={values.paused} />
        <FormButtons cancel={edited ? `/schedules/${edited.id}` : list}>
          {edited ? 'Save' : 'Create schedule'}
        </FormButtons>
      </Form>
    </ProjectLayout>
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
