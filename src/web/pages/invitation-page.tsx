import { PASSWORD_LENGTH } from '../../domain/password.js';
import type { Role } from '../../domain/rights.js';
import { Layout } from '../layout/layout.js';
import type { PageContext, Viewer } from '../layout/viewer.js';
import { Field } from '../components/field.js';
import { Problem } from '../components/problem.js';

const ROLE_TEXTS: Record<Role, string> = {
  viewer: 'You will see its runs and definitions.',
  editor: 'You will see its runs, start and stop them, and change its tests and suites.',
  owner: 'You will do everything in it: runs, definitions, tokens and members.',
};

export interface InvitationPageProps {
  /** Path of this page. */
  path: string;
  projectName: string;
  role: Role;
  /** Of the invitation, or as it was typed. */
  email?: string | undefined;
  name?: string | undefined;
  /** Who is signed in makes no account. */
  page?: PageContext | undefined;
  problem?: string | undefined;
}

/** GET /invitations/{token} */
export function InvitationPage(props: InvitationPageProps) {
  const { projectName, role, page, problem } = props;
  const viewer = page?.viewer;
  return (
    <Layout title={`Join ${projectName}`} page={page}>
      <div class="front">
        <h1>Join {projectName}</h1>
        <p>
          You are invited to the project {projectName} as {role}. {ROLE_TEXTS[role]}
        </p>
        <Problem message={problem} />
        {viewer ? <Join {...props} viewer={viewer} /> : <NewAccount {...props} />}
      </div>
    </Layout>
  );
}

function Join({ path, email, viewer }: InvitationPageProps & { viewer: Viewer }) {
  if (email !== undefined && email !== viewer.email)
    return (
      <p>
        This invitation is for {email}, and you are signed in as {viewer.email}. Sign in with the account of that
        address, then open the link again.
      </p>
    );
  return (
    <form class="card-box" method="post" action={path}>
      <input type="hidden" name="_csrf" value={viewer.csrfToken} />
      <button type="submit" class="btn btn-primary">
        Join as {viewer.email}
      </button>
    </form>
  );
}

function NewAccount({ path, email, name }: InvitationPageProps) {
  return (
    <>
      <p>
        Have you an account already? <a href={`/sign-in?next=${encodeURIComponent(path)}`}>Sign in first</a>.
      </p>
      <form class="card-box" method="post" action={path}>
        <Field name="name" label="Your name" type="text" autocomplete="name" value={name} required={false} />
        <Field name="email" label="E-mail" type="email" autocomplete="username" value={email} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint={`At least ${PASSWORD_LENGTH.min} characters.`}
          minLength={PASSWORD_LENGTH.min}
        />
        <button type="submit" class="btn btn-primary">
          Make my account and join
        </button>
      </form>
    </>
  );
}
