import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import type { AdminProps } from './admin-layout.js';

/** What an admin can do to an account. */
export const USER_CHANGES = {
  'make-admin': {
    change: { isAdmin: true },
    title: (email: string) => `Make ${email} an admin?`,
    verb: 'Make an admin',
    text: 'Every project and the administration of this server are open to this person then.',
    done: (email: string) => `${email} is an admin now.`,
    isDangerous: true,
  },
  'take-admin': {
    change: { isAdmin: false },
    title: (email: string) => `Take the admin’s rights from ${email}?`,
    verb: 'Take the rights',
    text: 'Only projects with a membership of its own stay open to this account.',
    done: (email: string) => `${email} is no admin any more.`,
    isDangerous: true,
  },
  disable: {
    change: { disabled: true },
    title: (email: string) => `Disable the account of ${email}?`,
    verb: 'Disable the account',
    text: 'Sessions end at once, and neither password nor personal API tokens open anything. Tests, runs and the tokens of projects stay. You can enable it again.',
    done: (email: string) => `The account of ${email} is disabled.`,
    isDangerous: true,
  },
  enable: {
    change: { disabled: false },
    title: (email: string) => `Enable the account of ${email}?`,
    verb: 'Enable the account',
    text: 'Password, memberships and personal API tokens are good again.',
    done: (email: string) => `The account of ${email} is enabled.`,
    isDangerous: false,
  },
} as const;

export type UserChange = keyof typeof USER_CHANGES;

interface ConfirmUserChangeProps extends AdminProps {
  change: UserChange;
  id: string;
  email: string;
  problem?: FormProblem | undefined;
}

/** Asks before an account changes. */
export function ConfirmUserChange({ page, change, id, email, problem }: ConfirmUserChangeProps) {
  const { title, verb, text, isDangerous } = USER_CHANGES[change];
  return (
    <ConfirmPage
      page={page}
      title={title(email)}
      verb={verb}
      action={`/admin/users/${id}/${change}`}
      back="/admin/users"
      isDangerous={isDangerous}
      problem={problem}
    >
      <p>{text}</p>
      {email === page.viewer.email ? <p class="notice">This is your own account.</p> : null}
    </ConfirmPage>
  );
}
