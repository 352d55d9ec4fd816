import type { ComponentChildren } from 'preact';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { Facts } from '#src/web/components/facts.js';
import { Menu } from '#src/web/components/menu.js';
import type { ShownSchedule } from '#src/web/components/schedule-table.js';
import { Moment } from '#src/web/components/moment.js';
import { Sparkline } from '#src/web/components/sparkline.js';
import { Status } from '#src/web/components/status.js';
import { formatCount, formatRate } from '#src/web/texts/format.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, Viewer, SignedInPage } from '#src/web/layout/page-context.js';
import { LatestRuns, type LatestRun } from './latest-runs.js';
import { menuItems } from '#src/web/targets/menu-items.js';
import { RunButton } from '#src/web/targets/run/run-button.js';
import type { TargetNumbers } from '#src/web/targets/list/target-table.js';
import { TargetSchedules } from './target-schedules.js';

export interface TargetPageProps {
  page: SignedInPage;
  project: ProjectContext;
  target: { id: string; name: string; revision: number; modifiedAt: Date; isArchived: boolean };
  numbers: TargetNumbers;
  /** The newest first. */
  runs: readonly LatestRun[];
  schedules: readonly ShownSchedule[];
  now: Date;
}

/** The frame of a test's page and of a suite's. */
export function TargetPage(props: TargetPageProps & { kind: TargetKind; children: ComponentChildren }) {
  const { page, project, kind, target, numbers, runs, schedules, now, children } = props;
  return (
    <ProjectLayout page={page} project={project} section={`${kind}s`} title={target.name} assets={['targets.css']}>
      <div class="title-row">
        <h1>
          {target.name} {numbers.last ? <Status status={numbers.last.status} /> : null}
        </h1>
        {target.isArchived ? null : <Actions kind={kind} {...target} project={project} viewer={page.viewer} />}
      </div>
      {target.isArchived ? (
        <p class="notice">
          This {kind} is archived and cannot be started. To restore it, import a project file that contains it.
        </p>
      ) : null}
      <Numbers {...numbers} />
      {children}
      {target.isArchived ? null : (
        <TargetSchedules kind={kind} id={target.id} project={project} schedules={schedules} />
      )}
      <h2>Latest runs</h2>
      <LatestRuns kind={kind} {...target} projectId={project.id} runs={runs} now={now} />
      <p class="muted small">
        Id <code>{target.id}</code> · revision {target.revision}, saved <Moment at={target.modifiedAt} />
      </p>
    </ProjectLayout>
  );
}

interface ActionsProps {
  kind: TargetKind;
  id: string;
  name: string;
  project: ProjectContext;
  viewer: Viewer;
}

function Actions({ kind, id, name, project, viewer }: ActionsProps) {
  return (
    <div class="row-actions">
      {project.may('runs.start') ? <RunButton kind={kind} id={id} name={name} viewer={viewer} /> : null}
      {project.may('definitions.edit') ? (
        <a class="btn btn-outline-secondary" href={`/${kind}s/${id}/edit`}>
          Edit
        </a>
      ) : null}
      <Menu of={name} items={menuItems(kind, id, project)} />
    </div>
  );
}

function Numbers({ last, passRate, recent }: TargetNumbers) {
  if (!last) return null;
  return (
    <Facts
      of={[
        ['Last verdict', <Moment at={last.endedAt} />],
        [
          'Passed',
          passRate === undefined
            ? undefined
            : `${formatRate(passRate)} of the last ${formatCount(recent.length, 'run')}`,
        ],
        ['Duration', recent.length > 1 ? <Sparkline recent={recent} /> : undefined],
      ]}
    />
  );
}
