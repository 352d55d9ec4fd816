import type { Page } from '../../../domain/page.js';
import { Empty } from '../../components/empty.js';
import { Paging } from '../../components/paging.js';
import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';
import { Filters, queryOf, type ListWishes } from './list-filters.js';
import type { TargetKind } from './menu-items.js';
import { TargetRow, type ListedTarget } from './target-row.js';

export interface TargetListProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  kind: TargetKind;
  wishes: ListWishes;
  list: Page<ListedTarget>;
}

/** GET /projects/{id}/tests or /suites */
export function TargetListPage({ page, project, kind, wishes, list }: TargetListProps) {
  const path = `/projects/${project.id}/${kind}s`;
  const title = kind === 'test' ? 'Tests' : 'Suites';
  const isWhole = wishes.search === undefined && wishes.verdict === undefined && wishes.sort === 'name';
  const mayEdit = project.may('definitions.edit');
  return (
    <ProjectLayout page={page} project={project} section={`${kind}s`} title={title} assets={['targets.css']}>
      <div class="title-row">
        <h1>{title}</h1>
        {mayEdit ? (
          <a class="btn btn-primary" href={`${path}/new`}>
            New {kind}
          </a>
        ) : null}
      </div>
      {isWhole && list.count === 0 ? (
        <NoneYet kind={kind} path={path} mayEdit={mayEdit} />
      ) : (
        <>
          <Filters path={path} kind={kind} wishes={wishes} />
          {list.items.length > 0 ? (
            <TargetTable kind={kind} project={project} viewer={page.viewer} items={list.items} />
          ) : (
            <NoneFound kind={kind} path={path} wishes={wishes} />
          )}
          <Paging page={list} path={`${path}${queryOf(wishes)}`} noun={kind} />
        </>
      )}
    </ProjectLayout>
  );
}

interface TableProps {
  kind: TargetKind;
  project: ProjectContext;
  viewer: Viewer;
  items: readonly ListedTarget[];
}

function TargetTable({ items, kind, ...rest }: TableProps) {
  return (
    <table class="target-list">
      <thead>
        <tr>
          <th scope="col">{kind === 'test' ? 'Test' : 'Suite'}</th>
          <th scope="col">Last verdict</th>
          <th scope="col">Last run</th>
          <th scope="col">Passed</th>
          <th scope="col">Duration</th>
          <th scope="col">
            <span class="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((target) => (
          <TargetRow key={target.id} {...target} kind={kind} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

function NoneYet({ kind, path, mayEdit }: { kind: TargetKind; path: string; mayEdit: boolean }) {
  const what =
    kind === 'test'
      ? 'A test is what a worker runs: a command, steps in a browser, or requests to an API.'
      : 'A suite is a list of tests that run together, in order, so many at the same time.';
  return (
    <Empty title={`No ${kind}s yet`}>
      <p>{what}</p>
      {mayEdit ? (
        <p>
          <a href={`${path}/new`}>Make the first one</a>, or <a href="/projects/import">import a project file</a>.
        </p>
      ) : (
        <p>An editor of this project can make the first one.</p>
      )}
    </Empty>
  );
}

function NoneFound({ kind, path, wishes }: { kind: TargetKind; path: string; wishes: ListWishes }) {
  const isByNumbers = wishes.verdict !== undefined || wishes.sort !== 'name';
  return (
    <Empty title={`No ${kind} fits`}>
      <p>
        {isByNumbers ? `Only ${kind}s that have had a verdict are shown with this filter or order. ` : ''}
        <a href={path}>Show all {kind}s</a>
      </p>
    </Empty>
  );
}
