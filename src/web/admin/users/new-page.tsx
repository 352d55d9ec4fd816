import { PASSWORD_LENGTH } from '#src/domain/people/password.js';
import { CheckBox, Field } from '#src/web/components/form/field.js';
import { Form, type FormProblem } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';

export interface NewUserPageProps extends AdminProps {
  typed?: { email: string; name: string; isAdmin: boolean };
  problem?: FormProblem | undefined;
}

/** Creates an account for another person. */
export function NewUserPage({ page, typed, problem }: NewUserPageProps) {
  return (
    <AdminLayout page={page} tab="users" title="New account">
      <Form action="/admin/users/new" viewer={page.viewer} problem={problem} class="card-box">
        <Field name="email" label="Email" type="email" autocomplete="off" value={typed?.email ?? ''} />
        <Field
          name="name"
          label="Name (optional)"
          type="text"
          autocomplete="off"
          required={false}
          value={typed?.name ?? ''}
        />
        <Field
          name="password"
          label="Initial password"
          type="password"
          autocomplete="new-password"
          minLength={PASSWORD_LENGTH.min}
          hint={`${PASSWORD_LENGTH.min} characters or more. The person should change it after signing in. No email is sent.`}
        />
        <CheckBox
          name="isAdmin"
          label="Admin: access to every project and the administration"
          isChecked={typed?.isAdmin ?? false}
        />
        <FormButtons cancel="/admin/users">Create account</FormButtons>
      </Form>
    </AdminLayout>
  );
}
