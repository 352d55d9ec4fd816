import { CheckBox, Field, Select } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';

interface PoolPageProps extends AdminProps {
  form: FormState;
  /** Absent: a new pool. */
  name?: string;
  /** Those that can be selected. */
  projects: readonly { id: string; name: string }[];
}

/** Creates or changes a pool. */
export function PoolPage({ page, form, name, projects }: PoolPageProps) {
  const isNew = name === undefined;
  // Selected projects that the form does not list stay selected.
  const listed = new Set(projects.map(({ id }) => id));
  const selected = [form.values.projects].flat().filter((id) => typeof id === 'string');
  const others = selected.filter((id) => !listed.has(id)).map((id) => ({ id, name: `Project ${id}` }));
  return (
    <AdminLayout page={page} tab="pools" title={isNew ? 'New pool' : `Pool ${name}`}>
      <Form
        action={isNew ? '/admin/pools/new' : `/admin/pools/${name}`}
        viewer={page.viewer}
        form={form}
        class="card-box"
      >
        {isNew ? (
          <Field
            name="name"
            label="Name"
            type="text"
            autocomplete="off"
            hint="Lowercase letters, digits and dashes. Workers list it in RUNHOOK_POOLS."
          />
        ) : null}
        <Field name="description" label="Description (optional)" type="text" autocomplete="off" required={false} />
        <Select
          name="access"
          label="Projects with access"
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
            <CheckBox key={project.id} name="projects" label={project.name} value={project.id} />
          ))}
        </fieldset>
        <FormButtons cancel="/admin/pools">{isNew ? 'Create pool' : 'Save'}</FormButtons>
      </Form>
    </AdminLayout>
  );
}
