import { PROJECT_LIMITS, type OwnLimits, type ProjectLimitName, type ProjectLimits } from '../../../domain/limits.js';
import { Field } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

const TEXTS: Record<ProjectLimitName, { label: string; hint: string }> = {
  tokenTriggersPerMinute: { label: 'Triggers a minute of one webhook token', hint: 'On average, over time.' },
  tokenBurst: { label: 'Triggers at once of one webhook token', hint: 'How many may come in one go.' },
  projectTriggersPerMinute: {
    label: 'Triggers a minute of the project',
    hint: 'Of all its tokens and people together.',
  },
  projectBurst: { label: 'Triggers at once of the project', hint: 'How many may come in one go.' },
  openRuns: { label: 'Open runs', hint: 'Queued and running at the same time; beyond it triggers get 429.' },
  waitingSuiteRuns: {
    label: 'Waiting runs of a suite',
    hint: 'Of a suite whose runs must not overlap; beyond it triggers of the suite get 429.',
  },
  artifactsMib: {
    label: 'Stored files of runs, in MiB',
    hint: 'Of all runs that are kept; beyond it a run keeps no more files.',
  },
};

export interface LimitsPageProps extends SettingsProps {
  effective: ProjectLimits;
  own: OwnLimits;
  defaults: ProjectLimits;
  /** As typed, by name. */
  typed?: Partial<Record<ProjectLimitName, string>>;
  problem?: FormProblem | undefined;
}

/** Settings, Limits: what holds for the project, and where that comes from. */
export function LimitsPage(props: LimitsPageProps) {
  const { page, project, effective, own, defaults } = props;
  return (
    <SettingsLayout page={page} project={project} tab="limits">
      <p>
        They keep one project from slowing down the others. A trigger beyond a limit is answered with 429 and says when
        to come again; no run is lost that was accepted. A file beyond the limit on files is left out, and its run says
        so.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">In force</th>
            <th scope="col">Of this server</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {PROJECT_LIMITS.map((name) => (
            <tr key={name}>
              <th scope="row">{TEXTS[name].label}</th>
              <td data-label="In force">{formatNumber(effective[name])}</td>
              <td data-label="Of this server">{formatNumber(defaults[name])}</td>
              <td data-label="From">{own[name] === undefined ? 'this server' : 'this project'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {project.may('limits.edit') ? (
        <LimitsForm {...props} />
      ) : (
        <p>To have them changed for this project, ask an admin of this server.</p>
      )}
    </SettingsLayout>
  );
}

function LimitsForm({ page, project, own, defaults, typed, problem }: LimitsPageProps) {
  return (
    <>
      <h2>Limits of this project’s own</h2>
      <p>Leave a field empty for what this server says. Every server knows a change within five seconds.</p>
      <Form action={settingsPath(project, 'limits')} viewer={page.viewer} problem={problem} class="card-box">
        {PROJECT_LIMITS.map((name) => (
          <Field
            key={name}
            name={name}
            label={TEXTS[name].label}
            type="number"
            min={1}
            required={false}
            value={typed ? typed[name] : own[name]?.toString()}
            hint={`${TEXTS[name].hint} This server says ${formatNumber(defaults[name])}.`}
            problem={problemOf(problem, name)}
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
