import { PASSWORD_LENGTH } from '../../../domain/password.js';
import { CheckBox, Field } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { FormButtons } from '../../components/form-buttons.js';
import { AdminLayout, type AdminProps } from './admin-layout.js';

export interface NewUserPageProps extends AdminProps {
  typed?: { email: string; name: string; isAdmin: boolean };
  problem?: FormProblem | undefined;
}

/** Makes an account for somebody. */
export function NewUserPage({ page, typed, problem }: NewUserPageProps) {
  return (
    <AdminLayout page={page} tab="users" title="New account">
      <Form action="/admin/users/new" viewer={page.viewer} problem={problem} class="card-box">
        <Field
          name="email"
          label="E-mail"
          type="email"
          autocomplete="off"
          value={typed?.email ?? ''}
          problem={problemOf(problem, 'email')}
        />
        <Field
          name="name"
          label="Name (optional)"
          type="text"
          autocomplete="off"
          required={false}
          value={typed?.name ?? ''}
          problem={problemOf(problem, 'name')}
        />
        <Field
          name="password"
          label="First password"
          type="password"
          autocomplete="new-password"
          minLength={PASSWORD_LENGTH.min}
          hint={`${PASSWORD_LENGTH.min} characters or more. The person should change it after the first sign-in. No mail is sent.`}
          problem={problemOf(problem, 'password')}
        />
        <CheckBox
          name="isAdmin"
          label="Admin: every project and these pages are open"
          isChecked={typed?.isAdmin ?? false}
        />
        <FormButtons cancel="/admin/users">Make the account</FormButtons>
      </Form>
    </AdminLayout>
  );
}
