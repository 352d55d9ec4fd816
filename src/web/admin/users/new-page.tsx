import { PASSWORD_LENGTH } from '#src/domain/people/password.js';
import { CheckBox, Field } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { FormButtons } from '#src/web/components/form/form-buttons.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';

interface NewUserPageProps extends AdminProps {
  form: FormState;
}

/** Creates an account for another person. */
export function NewUserPage({ page, form }: NewUserPageProps) {
  return (
    <AdminLayout page={page} tab="users" title="New account">
      <Form action="/admin/users/new" viewer={page.viewer} form={form} class="card-box">
        <Field name="email" label="Email" type="email" autocomplete="off" />
        <Field name="name" label="Name (optional)" type="text" autocomplete="off" required={false} />
        <Field
          name="password"
          label="Initial password"
          type="password"
          autocomplete="new-password"
          minLength={PASSWORD_LENGTH.min}
          hint={`${PASSWORD_LENGTH.min} characters or more. The person should change it after signing in. No email is sent.`}
        />
        <CheckBox name="isAdmin" label="Admin: access to every project and the administration" />
        <FormButtons cancel="/admin/users">Create account</FormButtons>
      </Form>
    </AdminLayout>
  );
}
