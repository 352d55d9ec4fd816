import { CheckBox, Field, Select } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { FormButtons } from '../../components/form-buttons.js';
import { AdminLayout, type AdminProps } from './admin-layout.js';

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
            hint="Lower-case letters, digits and dashes. Workers name it in RUNHOOK_POOLS."
            problem={problemOf(problem, 'name')}
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
          problem={problemOf(problem, 'description')}
        />
        <Select
          name="access"
          label="Projects that may use it"
          value={access}
          options={[
            { value: 'listed', label: 'Only the projects ticked below' },
            { value: 'all', label: 'All projects, also new ones' },
          ]}
          hint="Tests of a project that loses the pool end with POOL_CLOSED; tests that are running finish."
          problem={problemOf(problem, 'projects')}
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
