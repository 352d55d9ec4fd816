import { refusalOf } from '#src/domain/schedules/schedule.js';
import { Facts } from '#src/web/components/facts.js';
import { Form } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import { NextTimes } from '#src/web/components/next-times.js';
import { LastTime, Paused, Refused, TargetLink, When, type ShownSchedule } from '#src/web/components/schedule-table.js';
import { formatMs } from '#src/web/texts/format.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, Viewer, SignedInPage } from '#src/web/layout/page-context.js';

interface SchedulePageProps extends ShownSchedule {
  page: SignedInPage;
  project: ProjectContext;
  /** Of the variable set that it names. */
  variableSetName?: string | undefined;
}

/** GET /schedules/{id} */
export function SchedulePage({ page, project, variableSetName, ...shown }: SchedulePageProps) {
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
        <p class="notice">This schedule was removed, or its target was archived. It starts no runs.</p>
      ) : null}
      {refusal ? (
        <p class="notice" role="alert">
          Temporal rejected this schedule, so it starts no runs: {refusal.message} (since <Moment at={refusal.at} />
          ). Edit the schedule. Choosing another time zone usually fixes the problem.
        </p>
      ) : null}
      <Facts
        of={[
          ['Starts', <TargetLink {...target} />],
          ['When', <When {...definition} />],
          ['Last run', <LastTime {...shown} />],
          ['Catch-up window', `${formatMs(catchUpMs)}`],
          ['Variable set', runProfileId === undefined ? undefined : (variableSetName ?? '(removed variable set)')],
        ]}
      />
      <h2>Next runs</h2>
      {next.length > 0 ? (
        <NextTimes times={next} timeZone={timeZone} />
      ) : (
        <p>
          None
          {paused && !refusal
            ? ': the schedule is paused. Runs that are skipped while it is paused are not started later'
            : ''}
          .
        </p>
      )}
      <p>
        <a href={`/projects/${project.id}/runs?trigger=schedule&targetId=${target.id}`}>
          Runs of this {target.kind} started by schedules
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
