import type { ProjectRight } from '#src/domain/people/rights.js';

/** The signed-in person who views a page. */
export interface Viewer {
  email: string;
  isAdmin: boolean;
  /** Sent with every form. */
  csrfToken: string;
}

/** What every page knows beside its own subject. */
export interface PageContext {
  /** Absent on pages that are open to everybody. */
  viewer?: Viewer | undefined;
  /** Path and query of the page. */
  path: string;
  /** What the previous form has done, in a sentence. */
  notice?: string | undefined;
  /** Requested as a dialog on another page: only the content is rendered. */
  isDialog: boolean;
}

/** The same on a page for signed-in people. */
export type SignedInPage = PageContext & { viewer: Viewer };

/** The project that a page belongs to. */
export interface ProjectContext {
  id: string;
  name: string;
  /** It is removed; only admins see its runs. */
  isRemoved?: true;
  /** Whether the viewer may do this in it; pages offer nothing else. */
  may(right: ProjectRight): boolean;
}
