import type { Caller } from '#src/services/people/audit-log.js';
import type { InstanceRight, Principal, ProjectRight, Role } from '#src/domain/people/rights.js';

/** What a route asks of its caller. Every route names it (see plugins/access.ts). */
export type Access =
  /** Open to everybody: what it gives is guarded otherwise (a webhook's token), or no secret. */
  | 'public'
  /** The same, and who shows that he is somebody is known: a session's calls must show its CSRF token. */
  | 'maybe-signed-in'
  | { right: InstanceRight }
  | {
      right: ProjectRight;
      /** The project that it is about; undefined when what was asked for is not there. Params are not checked yet. */
      project(request: { params: Record<string, string> }): string | undefined | Promise<string | undefined>;
    }
  | {
      right: ProjectRight;
      /** The same, of a call whose body names what it is about: asked when the body is checked. */
      projectOfBody(body: never): Promise<string | undefined>;
    }
  /** Which project it is about is known only from the body: the service asks for the right. Here: with any credentials. */
  | { right: ProjectRight; askedBy: 'service' };

/** A right in the project that the address names. */
export function inProject(right: ProjectRight) {
  return { right, project: ({ params }) => params.projectId } satisfies Access;
}

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    access?: Access;
  }
  interface RequestApplicationState {
    /** Who asks; absent on public routes. */
    principal?: Principal;
    /** The project that the door has opened, the caller's role as a member of it, and whether it was removed. */
    project?: { id: string; role: Role | undefined; isRemoved?: true };
    /** Of a session: what its forms and scripts send along. */
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
