import type { ProjectRight } from '../../domain/rights.js';

/** Who looks at a page, signed in. */
export interface Viewer {
  email: string;
  isAdmin: boolean;
  /** What his forms send along. */
  csrfToken: string;
}

/** What every page knows beside its own subject. */
export interface PageContext {
  /** Absent on pages that are open to everybody. */
  viewer?: Viewer | undefined;
  /** Path and query of the page. */
  path: string;
  /** What the form before it has done, in a sentence. */
  notice?: string | undefined;
  /** Asked for as a dialog on another page: only the content is wanted. */
  isDialog: boolean;
}

/** The project that a page belongs to. */
export interface ProjectContext {
  id: string;
  name: string;
  /** It was removed, and an admin looks at its runs. */
  isRemoved?: true;
  /** Whether the viewer may do this in it: what he may not do is not offered. */
  may(right: ProjectRight): boolean;
}
