import type { FormProblem } from '#src/web/components/form/form.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import type { AdminProps } from '#src/web/admin/admin-layout.js';

/** What an admin can do to an account. */
export const USER_CHANGES = {
  'make-admin': {
    change: { isAdmin: true },
    title: (email: string) => `Make ${email} an admin?`,
    verb: 'Make admin',
    text: 'This person gets access to every project and to the administration of this server.',
    done: (email: string) => `${email} is now an admin.`,
    isDangerous: true,
  },
  'take-admin': {
    change: { isAdmin: false },
    title: (email: string) => `Remove the admin role from ${email}?`,
    verb: 'Remove admin role',
    text: 'This account keeps access only to the projects that it is a member of.',
    done: (email: string) => `${email} is no longer an admin.`,
    isDangerous: true,
  },
  disable: {
    change: { disabled: true },
    title: (email: string) => `Disable the account of ${email}?`,
    verb: 'Disable account',
    text: 'All sessions end immediately, and the password and personal API tokens stop working. Tests, runs and project tokens are not affected. You can enable the account again.',
    done: (email: string) => `The account of ${email} is disabled.`,
    isDangerous: true,
  },
  enable: {
    change: { disabled: false },
    title: (email: string) => `Enable the account of ${email}?`,
    verb: 'Enable account',
    text: 'The password, memberships and personal API tokens work again.',
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
