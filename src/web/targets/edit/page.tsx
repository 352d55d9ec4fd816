import type { ComponentChildren } from 'preact';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { AssetName } from '#src/web/http/asset-files.js';
import { Form, type FormProblem } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { PageContext, ProjectContext, Viewer } from '#src/web/layout/page-context.js';

export interface EditPageProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  kind: TargetKind;
  /** Of the one that is edited; absent: a new one. */
  edited?: { id: string; name: string; revision: number } | undefined;
  problem?: FormProblem | undefined;
  assets?: readonly AssetName[];
  /** The fields. */
  children: ComponentChildren;
}

/** GET /projects/{id}/tests/new and /tests/{id}/edit, or a suite's. */
export function EditPage({ page, project, kind, edited, problem, assets = [], children }: EditPageProps) {
  const title = edited ? `Edit “${edited.name}”` : `New ${kind}`;
  const list = `/projects/${project.id}/${kind}s`;
  const at = edited ? `/${kind}s/${edited.id}` : list;
  return (
    <ProjectLayout page={page} project={project} section={`${kind}s`} title={title} assets={['targets.css', ...assets]}>
      <h1>{title}</h1>
      <Form action={edited ? `${at}/edit` : `${at}/new`} viewer={page.viewer} problem={problem} class="wide-form">
        {edited ? <input type="hidden" name="revision" value={String(edited.revision)} /> : null}
        {children}
        <FormButtons cancel={at}>{edited ? 'Save' : `Create ${kind}`}</FormButtons>
      </Form>
    </ProjectLayout>
  );
}
