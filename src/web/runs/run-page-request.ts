import type { FoundRun } from '#src/services/runs/run-reader.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

/** What the pages of both kinds of runs need. */
export interface RunPageRequest<Query> {
  found: FoundRun;
  project: ProjectContext;
  page: SignedInPage;
  query: Query;
  /** The run in the Temporal UI. */
  temporalUrl: string | undefined;
}
