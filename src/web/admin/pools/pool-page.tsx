import { CheckBox, Field, Select } from '#src/web/components/form/field.js';
import { Form, type FormProblem } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';

/** What stands in the form of a pool. */
export interface PoolFields {
  name: string;
  description: string;
  access: 'all' | 'listed';
  /** Ids of the ticked projects. */
  projects: readonly string[];
  /** 0 of a new one. */
  revision: number;
}

export interface PoolPageProps extends AdminProps {
  fields: PoolFields;
  /** Those that can be ticked. */
  projects: readonly { id: string; name: string }[];
  problem?: FormProblem | undefined;
}

/** Creates or changes a pool. */
export function PoolPage({ page, fields, projects, problem }: PoolPageProps) {
  const { name, description, access, projects: ticked, revision } = fields;
  const isNew = revision === 0;
  // Projects beyond those that the form lists stay as they are.
  const listed = new Set(projects.map(({ id }) => id));
  const others = ticked.filter((id) => !listed.has(id)).map((id) => ({ id, name: `Project ${id}` }));
  return (
    <AdminLayout page={page} tab="pools" title={isNew ? 'New pool' : `Pool ${name}`}>
      <Form
        action={isNew ? '/admin/pools/new' : `/admin/pools/${name}`}
        viewer={page.viewer}
        problem={problem}
        class="card-box"
      >
        {isNew ? (
          <Field
            name="name"
            label="Name"
            type="text"
            autocomplete="off"
            value={name}
            hint="Lowercase letters, digits and dashes. Workers list it in RUNHOOK_POOLS."
          />
        ) : (
          <input type="hidden" name="revision" value={revision} />
        )}
        <Field
          name="description"
          label="Description (optional)"
          type="text"
          autocomplete="off"
          required={false}
          value={description}
        />
        <Select
          name="access"
          label="Projects with access"
          value={access}
          options={[
            { value: 'listed', label: 'Only the selected projects' },
            { value: 'all', label: 'All projects, including new ones' },
          ]}
          hint="When a project loses access, its tests in this pool end with POOL_CLOSED. Running tests are not affected."
        />
        <fieldset>
          <legend>Projects</legend>
          {projects.length + others.length === 0 ? <p class="muted">No projects yet.</p> : null}
          {[...projects, ...others].map((project) => (
            <CheckBox
              key={project.id}
              name="projects"
              label={project.name}
              value={project.id}
              isChecked={ticked.includes(project.id)}
            />
          ))}
        </fieldset>
        <FormButtons cancel="/admin/pools">{isNew ? 'Create pool' : 'Save'}</FormButtons>
      </Form>
    </AdminLayout>
  );
}
