import type { ComponentChildren } from 'preact';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { AssetName } from '#src/web/http/asset-files.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { FormButtons } from './form-buttons.js';
import { Form, type FormState } from './form.js';

/** What the page of a test's, suite's or schedule's form is given. */
export interface ItemFormProps {
  page: SignedInPage;
  project: ProjectContext;
  /** What the form edits; absent: it creates one. */
  edited?: { id: string; name: string } | undefined;
  form: FormState;
}

interface ItemFormPageProps extends ItemFormProps {
  kind: ProjectItemKind;
  assets?: readonly AssetName[];
  /** The fields. */
  children: ComponentChildren;
}

/** GET /projects/{id}/tests/new and /tests/{id}/edit, or of a suite or schedule. */
export function ItemFormPage({ page, project, kind, edited, form, assets = [], children }: ItemFormPageProps) {
  const title = edited ? `Edit “${edited.name}”` : `New ${kind}`;
  const list = `/projects/${project.id}/${kind}s`;
  const back = edited ? `/${kind}s/${edited.id}` : list;
  return (
    <ProjectLayout page={page} project={project} section={`${kind}s`} title={title} assets={['targets.css', ...assets]}>
      <h1>{title}</h1>
      <Form action={edited ? `${back}/edit` : `${list}/new`} viewer={page.viewer} form={form} class="wide-form">
        {children}
        <FormButtons cancel={back}>{edited ? 'Save' : `Create ${kind}`}</FormButtons>
      </Form>
    </ProjectLayout>
  );
}
