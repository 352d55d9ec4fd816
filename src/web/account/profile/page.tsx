import { PASSWORD_LENGTH } from '#src/domain/people/password.js';
import { Facts } from '#src/web/components/facts.js';
import { Field } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import { AccountLayout, type AccountProps } from '#src/web/account/account-layout.js';

export interface ProfilePageProps extends AccountProps {
  person: { id: string; email: string; name: string; isAdmin: boolean; createdAt: Date; hasPassword: boolean };
  /** Of the name. */
  nameForm?: FormState;
  passwordForm?: FormState;
}

/** GET /profile: the viewer’s account, name and password. */
export function ProfilePage(props: ProfilePageProps) {
  const { page, person } = props;
  return (
    <AccountLayout page={page} tab="account">
      <h2>Account details</h2>
      <Facts
        of={[
          ['Email', person.email],
          ['Role on this server', person.isAdmin ? 'Admin: access to every project' : 'Member of projects'],
          ['Since', <Moment at={person.createdAt} />],
          ['Your ID', <code>{person.id}</code>],
        ]}
      />
      <NameForm {...props} />
      <PasswordForm {...props} />
    </AccountLayout>
  );
}

function NameForm({ page, person, nameForm = { values: { name: person.name } } }: ProfilePageProps) {
  return (
    <section aria-labelledby="your-name">
      <h2 id="your-name">Name</h2>
      <Form action="/profile/name" viewer={page.viewer} form={nameForm} class="card-box narrow">
        <Field
          name="name"
          label="Your name"
          type="text"
          autocomplete="name"
          required={false}
          hint="Shown to other members. If empty, they see your email address."
        />
        <button type="submit" class="btn btn-primary">
          Save name
        </button>
      </Form>
    </section>
  );
}

function PasswordForm({ page, person, passwordForm }: ProfilePageProps) {
  const { hasPassword, email } = person;
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p>
        {hasPassword
          ? 'Changing the password ends all your other sessions. API tokens remain valid; revoke them individually.'
          : 'You sign in through your company’s provider. Set a password to sign in without it.'}
      </p>
      <Form action="/profile/password" viewer={page.viewer} form={passwordForm} class="card-box narrow">
        {/* For password managers: whose password it is. */}
        <input type="hidden" name="username" autocomplete="username" value={email} />
        {hasPassword ? (
          <Field name="currentPassword" label="Current password" type="password" autocomplete="current-password" />
        ) : null}
        <Field
          name="newPassword"
          label="New password"
          type="password"
          autocomplete="new-password"
          minLength={PASSWORD_LENGTH.min}
          hint={`At least ${PASSWORD_LENGTH.min} characters. A passphrase is easy to remember.`}
        />
        <button type="submit" class="btn btn-primary">
          {hasPassword ? 'Change password' : 'Set password'}
        </button>
      </Form>
    </section>
  );
}
