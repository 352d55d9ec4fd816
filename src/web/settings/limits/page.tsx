import { PROJECT_LIMITS, type OwnLimits, type ProjectLimitName, type ProjectLimits } from '#src/domain/limits.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Field } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';
import { DocsLink } from '#src/web/components/docs-link.js';

const TEXTS: Record<ProjectLimitName, { label: string; hint: string }> = {
  tokenTriggersPerMinute: { label: 'Triggers per minute and webhook token', hint: 'Average rate.' },
  tokenBurst: { label: 'Burst of triggers per webhook token', hint: 'Maximum number of triggers at once.' },
  projectTriggersPerMinute: {
    label: 'Triggers per minute in the project',
    hint: 'Across all tokens and people.',
  },
  projectBurst: { label: 'Burst of triggers in the project', hint: 'Maximum number of triggers at once.' },
  openRuns: { label: 'Open runs', hint: 'Queued and running runs. Further triggers return 429.' },
  waitingSuiteRuns: {
    label: 'Queued runs of a suite',
    hint: 'Of a suite whose runs must not overlap. Further triggers of the suite return 429.',
  },
  artifactsMib: {
    label: 'Stored files of runs, in MiB',
    hint: 'Of all retained runs. Above the limit, no files are stored.',
  },
};

interface LimitsPageProps extends SettingsProps {
  effective: ProjectLimits;
  own: OwnLimits;
  defaults: ProjectLimits;
  form: FormState;
}

/** Settings, Limits: what holds for the project, and where that comes from. */
export function LimitsPage(props: LimitsPageProps) {
  const { page, project, effective, own, defaults } = props;
  return (
    <SettingsLayout page={page} project={project} tab="limits">
      <p>
        Limits keep one project from slowing down the others. A trigger above a limit returns 429 with a Retry-After
        header; accepted runs are never lost. A file above the storage limit is not stored, and the run reports it.{' '}
        <DocsLink to="limits" />
      </p>
      <DataTable
        items={PROJECT_LIMITS}
        columns={[
          { label: 'Limit', cell: (name) => TEXTS[name].label },
          { label: 'Effective', cell: (name) => formatNumber(effective[name]) },
          { label: 'Server default', cell: (name) => formatNumber(defaults[name]) },
          { label: 'From', cell: (name) => (own[name] === undefined ? 'this server' : 'this project') },
        ]}
      />
      {project.may('limits.edit') ? (
        <LimitsForm {...props} />
      ) : (
        <p>To change the limits of this project, ask an admin of this server.</p>
      )}
    </SettingsLayout>
  );
}

function LimitsForm({ page, project, defaults, form }: LimitsPageProps) {
  return (
    <>
      <h2>Project limits</h2>
      <p>Leave a field empty for the server default. Changes take effect within five seconds.</p>
      <Form action={settingsPath(project, 'limits')} viewer={page.viewer} form={form} class="card-box">
        {PROJECT_LIMITS.map((name) => (
          <Field
            key={name}
            name={name}
            label={TEXTS[name].label}
            type="number"
            min={1}
            required={false}
            hint={`${TEXTS[name].hint} Server default: ${formatNumber(defaults[name])}.`}
          />
        ))}
        <button type="submit" class="btn btn-primary">
          Save
        </button>
      </Form>
    </>
  );
}

const formatNumber = (value: number) => value.toLocaleString('en');
