import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Menu } from '#src/web/components/menu.js';
import { Sparkline, type TrendPoint } from '#src/web/components/sparkline.js';
import { Status } from '#src/web/components/status.js';
import { formatMs, formatRate } from '#src/web/texts/format.js';
import { Moment } from '#src/web/components/moment.js';
import type { ProjectContext, Viewer } from '#src/web/layout/page-context.js';
import { RunButton } from '#src/web/targets/run/run-button.js';
import { menuItems } from '#src/web/targets/menu-items.js';

/** How a test or suite does: see the statistics. */
export interface TargetNumbers {
  last?: { runId: string; status: RunStatus; endedAt: Date };
  /** From 0 to 1. */
  passRate?: number;
  /** Oldest first. */
  recent: readonly TrendPoint[];
}

export interface ListedTarget {
  id: string;
  name: string;
  numbers: TargetNumbers;
}

interface TargetTableProps {
  kind: TargetKind;
  project: ProjectContext;
  viewer: Viewer;
  items: readonly ListedTarget[];
}

/** The list of tests or suites. */
export function TargetTable({ kind, project, viewer, items }: TargetTableProps) {
  return (
    <DataTable
      class="target-list"
      items={items}
      columns={[
        { label: kind === 'test' ? 'Test' : 'Suite', cell: ({ id, name }) => <a href={`/${kind}s/${id}`}>{name}</a> },
        {
          label: 'Last verdict',
          cell: ({ numbers: { last } }) =>
            last ? <LastVerdict {...last} /> : <span class="muted">No verdict yet</span>,
          isUnlabeled: true,
        },
        { label: 'Last run', cell: ({ numbers: { last } }) => (last ? <Moment at={last.endedAt} /> : '–') },
        {
          label: 'Passed',
          cell: ({ numbers: { passRate } }) => (passRate === undefined ? '–' : formatRate(passRate)),
        },
        {
          label: 'Duration',
          cell: ({ numbers: { recent } }) => (
            <>
              {recent.length > 0 ? `${formatMs(recent.at(-1)!.durationMs)} ` : ''}
              <Sparkline recent={recent} />
            </>
          ),
        },
        {
          label: <span class="visually-hidden">Actions</span>,
          class: 'actions',
          cell: ({ id, name }) => (
            <div class="row-actions">
              {project.may('runs.start') ? <RunButton kind={kind} id={id} name={name} viewer={viewer} isSmall /> : null}
              <Menu of={name} items={menuItems(kind, id, project)} />
            </div>
          ),
        },
      ]}
    />
  );
}

function LastVerdict({ runId, status }: { runId: string; status: RunStatus }) {
  return (
    <a class="plain" href={`/runs/${runId}`}>
      <Status status={status} />
    </a>
  );
}
