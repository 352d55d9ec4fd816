import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { ScheduleTable, type ShownSchedule } from '#src/web/components/schedule-table.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';

interface TargetSchedulesProps {
  kind: TargetKind;
  id: string;
  project: ProjectContext;
  schedules: readonly ShownSchedule[];
}

/** When a test or suite runs by itself, on its page; nothing where it does not and the viewer cannot change that. */
export function TargetSchedules({ kind, id, project, schedules }: TargetSchedulesProps) {
  const mayEdit = project.may('definitions.edit');
  if (schedules.length === 0 && !mayEdit) return null;
  return (
    <>
      <h2>Schedules</h2>
      {schedules.length > 0 ? <ScheduleTable items={schedules} withTarget={false} /> : <p>Not scheduled.</p>}
      {mayEdit ? (
        <p>
          <a href={`/projects/${project.id}/schedules/new?${kind}=${id}`}>Add schedule</a>
        </p>
      ) : null}
    </>
  );
}
