import { Layout } from '../layout/layout.js';
import { Field } from '../components/field.js';
import { Problem } from '../components/problem.js';

export interface SignInPageProps {
  /** Path of ours to go on to. */
  next: string;
  /** As it was typed. */
  email?: string | undefined;
  problem?: string | undefined;
  /** Name of the OpenID Connect provider; none, there is none. */
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
            label="E-mail"
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
          No account yet, or the password forgotten? Ask an owner of your project for an invitation, or an admin of this
          server.
        </p>
      </div>
    </Layout>
  );
}
