import type { Principal } from '#src/domain/people/rights.js';
import type { Viewer } from '#src/web/layout/page-context.js';

/** The signed-in person who views a page, for its header and forms. */
export function viewerOf({ app }: { app: { principal?: Principal; csrfToken?: string } }): Viewer | undefined {
  const { principal, csrfToken } = app;
  return principal && csrfToken !== undefined
    ? { email: principal.name, isAdmin: principal.isAdmin, csrfToken }
    : undefined;
}
