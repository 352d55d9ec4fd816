import type { Principal } from '#src/domain/people/rights.js';
import type { Viewer } from '#src/web/layout/page-context.js';

/** Who looks at a page, if he is signed in: for its header and its forms. */
export function viewerOf({ app }: { app: { principal?: Principal; csrfToken?: string } }): Viewer | undefined {
  const { principal, csrfToken } = app;
  return principal && csrfToken !== undefined
    ? { email: principal.name, isAdmin: principal.isAdmin, csrfToken }
    : undefined;
}
