import { Empty } from '#src/web/components/empty-state.js';
import { ScheduleTable, type ShownSchedule } from '#src/web/components/schedule-table.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

interface ScheduleListProps {
  page: SignedInPage;
  project: ProjectContext;
  items: readonly ShownSchedule[];
}

/** GET /projects/{id}/schedules */
export function ScheduleListPage({ page, project, items }: ScheduleListProps) {
  const mayEdit = project.may('definitions.edit');
  const path = `/projects/${project.id}/schedules`;
  return (
    <ProjectLayout page={page} project={project} section="schedules" title="Schedules" assets={['targets.css']}>
      <div class="title-row">
        <h1>Schedules</h1>
        {mayEdit ? (
          <a class="btn btn-primary" href={`${path}/new`}>
            New schedule
          </a>
        ) : null}
      </div>
      {items.length > 0 ? <ScheduleTable items={items} withTarget /> : <NoneYet path={path} mayEdit={mayEdit} />}
    </ProjectLayout>
  );
}

function NoneYet({ path, mayEdit }: { path: string; mayEdit: boolean }) {
  return (
    <Empty title="No schedules yet" help="schedules">
      <p>
        A schedule starts a test or a suite automatically: <code>0 6 * * 1-5</code> with the time zone{' '}
        <code>Europe/Stockholm</code> means 06:00 in Stockholm, Monday to Friday.
      </p>
      {mayEdit ? (
        <p>
          <a href={`${path}/new`}>Create a schedule</a>, or add it to your project file under <code>schedules:</code>.
        </p>
      ) : (
        <p>An editor of this project can create one.</p>
      )}
    </Empty>
  );
}
