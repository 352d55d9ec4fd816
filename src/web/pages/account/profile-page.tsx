import { PASSWORD_LENGTH } from '../../../domain/password.js';
import { Facts } from '../../components/facts.js';
import { Field } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { AccountLayout, type AccountProps } from './account-layout.js';

export interface ProfilePageProps extends AccountProps {
  person: { id: string; email: string; name: string; isAdmin: boolean; createdAt: Date; hasPassword: boolean };
  /** As it was typed. */
  name?: string;
  /** What was wrong with which form. */
  nameProblem?: FormProblem | undefined;
  passwordProblem?: FormProblem | undefined;
}

/** GET /profile: who the viewer is, his name and his password. */
export function ProfilePage(props: ProfilePageProps) {
  const { page, person } = props;
  return (
    <AccountLayout page={page} tab="account">
      <h2>Who you are</h2>
      <Facts
        of={[
          ['E-mail', person.email],
          ['Role on this server', person.isAdmin ? 'Admin: every project is open to you' : 'Member of projects'],
          ['Since', <Moment at={person.createdAt} />],
          ['Your id', <code>{person.id}</code>],
        ]}
      />
      <NameForm {...props} />
      <PasswordForm {...props} />
    </AccountLayout>
  );
}

function NameForm({ page, person, name = person.name, nameProblem }: ProfilePageProps) {
  return (
    <section aria-labelledby="your-name">
      <h2 id="your-name">Name</h2>
      <Form action="/profile/name" viewer={page.viewer} problem={nameProblem} class="card-box narrow">
        <Field
          name="name"
          label="Your name"
          type="text"
          autocomplete="name"
          value={name}
          required={false}
          hint="As other members see it. Empty: they see your e-mail."
          problem={problemOf(nameProblem, 'name')}
        />
        <button type="submit" class="btn btn-primary">
          Save the name
        </button>
      </Form>
    </section>
  );
}

function PasswordForm({ page, person, passwordProblem }: ProfilePageProps) {
  const { hasPassword, email } = person;
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p>
        {hasPassword
          ? 'All your other sessions end with the old password. API tokens stay: revoke them one by one.'
          : 'You sign in by your company’s provider. With a password you could sign in without it as well.'}
      </p>
      <Form action="/profile/password" viewer={page.viewer} problem={passwordProblem} class="card-box narrow">
        {/* For password managers: whose password it is. */}
        <input type="hidden" name="username" autocomplete="username" value={email} />
        {hasPassword ? (
          <Field
            name="currentPassword"
            label="Current password"
            type="password"
            autocomplete="current-password"
            problem={problemOf(passwordProblem, 'currentPassword')}
          />
        ) : null}
        <Field
          name="newPassword"
          label="New password"
          type="password"
          autocomplete="new-password"
          minLength={PASSWORD_LENGTH.min}
          hint={`At least ${PASSWORD_LENGTH.min} characters: a sentence is easy to keep.`}
          problem={problemOf(passwordProblem, 'newPassword')}
        />
        <button type="submit" class="btn btn-primary">
          {hasPassword ? 'Change the password' : 'Set a password'}
        </button>
      </Form>
    </section>
  );
}
