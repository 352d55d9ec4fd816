import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { Page } from '#src/domain/page.js';
import { Empty } from '#src/web/components/empty-state.js';
import { Paging } from '#src/web/components/paging.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { Filters, queryOf, type ListWishes } from './list-filters.js';
import { TargetTable, type ListedTarget } from './target-table.js';

interface TargetListProps {
  page: SignedInPage;
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

function NoneYet({ kind, path, mayEdit }: { kind: TargetKind; path: string; mayEdit: boolean }) {
  const what =
    kind === 'test'
      ? 'A test runs a command, steps in a browser, or requests to an API.'
      : 'A suite runs a list of tests in order, with limited concurrency.';
  return (
    <Empty title={`No ${kind}s yet`} help="projectFiles">
      <p>{what}</p>
      {mayEdit ? (
        <p>
          <a href={`${path}/new`}>Create one</a>, or <a href="/projects/import">import a project file</a>.
        </p>
      ) : (
        <p>An editor of this project can create one.</p>
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
