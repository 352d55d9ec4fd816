import type { Caller } from '#src/services/people/audit-log.js';
import type { InstanceRight, Principal, ProjectRight, Role } from '#src/domain/people/rights.js';

/** What a route requires of its caller (see plugins/access.ts). */
export type Access =
  /** Open to everyone: protected in another way (a webhook token), or not secret. */
  | 'public'
  /** The same, but credentials are checked if the request has any; those of a session require its CSRF token. */
  | 'maybe-signed-in'
  | { right: InstanceRight }
  | {
      right: ProjectRight;
      /** The project of the resource; undefined if the resource does not exist. Params are not validated yet. */
      project(request: { params: Record<string, string> }): string | undefined | Promise<string | undefined>;
    }
  | {
      right: ProjectRight;
      /** The same for a resource that the body names: called when the body is validated. */
      projectOfBody(body: never): Promise<string | undefined>;
    }
  /** Only the body names the project: the route requires credentials, and the service checks the right. */
  | { right: ProjectRight; askedBy: 'service' };

/** A right in the project of the URL. */
export function inProject(right: ProjectRight) {
  return { right, project: ({ params }) => params.projectId } satisfies Access;
}

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    access?: Access;
  }
  interface RequestApplicationState {
    /** The caller; absent on public routes. */
    principal?: Principal;
    /** The project that authorization has found, the caller's role in it, and whether it was removed. */
    project?: { id: string; role: Role | undefined; isRemoved?: true };
    /** Of a session; sent with its forms and scripts. */
    csrfToken?: string;
  }
}

/** The caller. @throws Error on a public route, which is a programming error */
export function principalOf(request: { app: { principal?: Principal } }): Principal {
  const { principal } = request.app;
  if (!principal) throw new Error('This route is public, so it has no principal');
  return principal;
}

/** The caller and their address, for services that record them. */
export function callerOf({ app }: { app: { principal?: Principal; address: string } }): Caller {
  const { principal, address } = app;
  return { principal, address };
}
