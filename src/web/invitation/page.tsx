import { PASSWORD_LENGTH } from '#src/domain/people/password.js';
import type { Role } from '#src/domain/people/rights.js';
import { Layout } from '#src/web/layout/layout.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { Field } from '#src/web/components/form/field.js';
import { Problem } from '#src/web/components/form/problem.js';

const ROLE_TEXTS: Record<Role, string> = {
  viewer: 'You can view its tests, suites and runs.',
  editor: 'You can view, start and stop its runs, and change its tests and suites.',
  owner: 'You can manage everything in it: runs, tests, suites, tokens and members.',
};

interface InvitationPageProps {
  /** Path of this page. */
  path: string;
  projectName: string;
  role: Role;
  /** Of the invitation, or as typed. */
  email?: string | undefined;
  name?: string | undefined;
  /** A signed-in person needs no account. */
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
        This invitation is for {email}, and you are signed in as {viewer.email}. Sign in with the account of that email
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
        Already have an account? <a href={`/sign-in?next=${encodeURIComponent(path)}`}>Sign in first</a>.
      </p>
      <form class="card-box" method="post" action={path}>
        <Field name="name" label="Your name" type="text" autocomplete="name" value={name} required={false} />
        <Field name="email" label="Email" type="email" autocomplete="username" value={email} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint={`At least ${PASSWORD_LENGTH.min} characters.`}
          minLength={PASSWORD_LENGTH.min}
        />
        <button type="submit" class="btn btn-primary">
          Create account and join
        </button>
      </form>
    </>
  );
}
