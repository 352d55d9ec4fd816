import { Layout } from '#src/web/layout/layout.js';
import { Field } from '#src/web/components/form/field.js';
import { Problem } from '#src/web/components/form/problem.js';

interface SignInPageProps {
  /** Path on this server that sign-in leads to. */
  next: string;
  /** As typed. */
  email?: string | undefined;
  problem?: string | undefined;
  /** Name of the OpenID Connect provider, if there is one. */
  provider?: string | undefined;
}

/** GET /sign-in */
export function SignInPage({ next, email, problem, provider }: SignInPageProps) {
  return (
    <Layout title="Sign in">
      <div class="front">
        <h1>Sign in to Runhook</h1>
        <Problem message={problem} />
        <form class="card-box" method="post" action="/sign-in">
          <input type="hidden" name="next" value={next} />
          <Field
            name="email"
            label="Email"
            type="email"
            autocomplete="username"
            value={email}
            autofocus={email === undefined}
          />
          <Field name="password" label="Password" type="password" autocomplete="current-password" />
          <button type="submit" class="btn btn-primary">
            Sign in
          </button>
        </form>
        {provider ? (
          <p class="card-box">
            <a class="btn btn-outline-primary" href={`/auth/oidc/start?next=${encodeURIComponent(next)}`}>
              Sign in with {provider}
            </a>
          </p>
        ) : null}
        <p class="muted">
          No account, or forgot your password? Ask an owner of your project for an invitation, or contact an admin of
          this server.
        </p>
      </div>
    </Layout>
  );
}
