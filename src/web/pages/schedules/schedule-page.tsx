import { refusalOf } from '../../../domain/schedule.js';
import { Facts } from '../../components/facts.js';
import { Form } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { NextTimes } from '../../components/next-times.js';
import { LastTime, Paused, Refused, TargetLink, When, type ShownSchedule } from '../../components/schedule-table.js';
import { formatMs } from '../../format.js';
import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';

export interface SchedulePageProps extends ShownSchedule {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  /** Of the profile of variables that it names. */
  profileName?: string | undefined;
}

/** GET /schedules/{id} */
export function SchedulePage({ page, project, profileName, ...shown }: SchedulePageProps) {
  const { schedule, target, next } = shown;
  const { _id, name, definition, archivedAt, revision, modifiedAt } = schedule;
  const refusal = refusalOf(schedule);
  const { paused, timeZone, catchUpMs, runProfileId } = definition;
  return (
    <ProjectLayout page={page} project={project} section="schedules" title={name} assets={['targets.css']}>
      <div class="title-row">
        <h1>
          {name} {paused && !archivedAt ? <Paused /> : null} {refusal ? <Refused /> : null}
        </h1>
        {archivedAt || !project.may('definitions.edit') ? null : (
          <Actions id={_id} paused={paused} viewer={page.viewer} />
        )}
      </div>
      {archivedAt ? (
        <p class="notice">This schedule was removed, by itself or with what it started. It starts nothing.</p>
      ) : null}
      {refusal ? (
        <p class="notice" role="alert">
          Temporal does not accept this schedule, so it starts nothing: {refusal.message} (since{' '}
          <Moment at={refusal.at} />
          ). Edit the schedule; another time zone usually solves it.
        </p>
      ) : null}
      <Facts
        of={[
          ['Starts', <TargetLink {...target} />],
          ['When', <When {...definition} />],
          ['Last time', <LastTime {...shown} />],
          ['After an outage', `starts what is up to ${formatMs(catchUpMs)} late`],
          ['Profile of variables', runProfileId === undefined ? undefined : (profileName ?? '(removed profile)')],
        ]}
      />
      <h2>Next times</h2>
      {next.length > 0 ? (
        <NextTimes times={next} timeZone={timeZone} />
      ) : (
        <p>None{paused && !refusal ? ': it is paused. What it leaves out meanwhile is not made up for' : ''}.</p>
      )}
      <p>
        <a href={`/projects/${project.id}/runs?trigger=schedule&targetId=${target.id}`}>
          Runs of this {target.kind} that schedules started
        </a>
      </p>
      <p class="muted small">
        Id <code>{_id}</code> · revision {revision}, saved <Moment at={modifiedAt} />
      </p>
    </ProjectLayout>
  );
}

function Actions({ id, paused, viewer }: { id: string; paused: boolean; viewer: Viewer }) {
  return (
    <div class="row-actions">
      <Form action={`/schedules/${id}/${paused ? 'resume' : 'pause'}`} viewer={viewer}>
        <button type="submit" class="btn btn-outline-primary">
          {paused ? 'Resume' : 'Pause'}
        </button>
      </Form>
      <a class="btn btn-outline-secondary" href={`/schedules/${id}/edit`}>
        Edit
      </a>
      <a class="btn btn-outline-danger" href={`/schedules/${id}/remove`} data-dialog>
        Remove
      </a>
    </div>
  );
}
