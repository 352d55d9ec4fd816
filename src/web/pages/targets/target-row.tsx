import type { RunStatus } from '../../../domain/run-status.js';
import { Menu } from '../../components/menu.js';
import { Sparkline, type TrendPoint } from '../../components/sparkline.js';
import { Status } from '../../components/status.js';
import { formatMs, formatRate } from '../../format.js';
import { Moment } from '../../components/moment.js';
import type { ProjectContext, Viewer } from '../../layout/viewer.js';
import { RunButton } from './run-button.js';
import { menuItems, type TargetKind } from './menu-items.js';

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

export interface TargetRowProps extends ListedTarget {
  kind: TargetKind;
  project: ProjectContext;
  viewer: Viewer;
}

/** A test or suite in its list. */
export function TargetRow({ id, name, numbers: { last, passRate, recent }, kind, project, viewer }: TargetRowProps) {
  return (
    <tr>
      <th scope="row">
        <a href={`/${kind}s/${id}`}>{name}</a>
      </th>
      <td>{last ? <LastVerdict {...last} /> : <span class="muted">No verdict yet</span>}</td>
      <td data-label="Last run">{last ? <Moment at={last.endedAt} /> : '–'}</td>
      <td data-label="Passed">{passRate === undefined ? '–' : formatRate(passRate)}</td>
      <td data-label="Duration">
        {recent.length > 0 ? `${formatMs(recent.at(-1)!.durationMs)} ` : ''}
        <Sparkline recent={recent} />
      </td>
      <td class="actions">
        <div class="row-actions">
          {project.may('runs.start') ? <RunButton kind={kind} id={id} name={name} viewer={viewer} isSmall /> : null}
          <Menu of={name} items={menuItems(kind, id, project)} />
        </div>
      </td>
    </tr>
  );
}

function LastVerdict({ runId, status }: { runId: string; status: RunStatus }) {
  return (
    <a class="plain" href={`/runs/${runId}`}>
      <Status status={status} />
    </a>
  );
}
