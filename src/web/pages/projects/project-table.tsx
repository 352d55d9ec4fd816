import { Moment } from '../../components/moment.js';
import { formatCount } from '../../format.js';

/** How a project does: see the statistics. */
export interface ProjectHealth {
  tests: number;
  suites: number;
  failing: number;
  openRuns: number;
  lastRunAt?: Date;
}

export interface ListedProject {
  id: string;
  name: string;
  /** What the viewer is in it. */
  role: string;
  health: ProjectHealth;
}

/** Projects, each with how it does. */
export function ProjectTable({ items }: { items: readonly ListedProject[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Project</th>
          <th scope="col">Health</th>
          <th scope="col">Holds</th>
          <th scope="col">Under way</th>
          <th scope="col">Last run</th>
          <th scope="col">You are</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, name, role, health }) => (
          <tr key={id}>
            <th scope="row">
              <a href={`/projects/${id}/tests`}>{name}</a>
            </th>
            <td>
              <Health id={id} {...health} />
            </td>
            <td data-label="Holds">
              {formatCount(health.tests, 'test')}, {formatCount(health.suites, 'suite')}
            </td>
            <td data-label="Under way">
              {health.openRuns > 0 ? (
                <a href={`/projects/${id}/runs`}>{formatCount(health.openRuns, 'run')}</a>
              ) : (
                'nothing'
              )}
            </td>
            <td data-label="Last run">{health.lastRunAt ? <Moment at={health.lastRunAt} /> : '–'}</td>
            <td data-label="You are">{role}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Health({ id, failing, lastRunAt }: ProjectHealth & { id: string }) {
  if (!lastRunAt) return <span class="status">no run yet</span>;
  if (failing === 0) return <span class="status passed">nothing failing</span>;
  return (
    <a class="plain" href={`/projects/${id}/tests?verdict=bad`}>
      <span class="status failed">{failing.toLocaleString('en')} failing</span>
    </a>
  );
}
