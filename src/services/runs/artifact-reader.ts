import { listArtifacts, openArtifact, openArtifactByName, type OpenedArtifact } from '#src/db/artifacts/artifacts.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { Clock } from '#src/domain/clock.js';
import { makeReportLink, readReportLink, type ReportSource } from '#src/domain/targets/report-link.js';

/** How long the page of a report can load its files. */
const REPORT_MS = 3_600_000;

export type { OpenedArtifact };
export type ArtifactReader = ReturnType<typeof createArtifactReader>;

export function createArtifactReader(collections: Collections, secretKeys: readonly Buffer[], clock: Clock) {
  const now = () => clock.now().getTime();
  return {
    list: (runId: string) => listArtifacts(collections, runId),
    /** Opens a file of a run as a stream; undefined when it does not exist. */
    open: (runId: string, id: string) => openArtifact(collections, runId, id),
    /** Creates a link that gives access to the files of an attempt for an hour. */
    linkToReport: (source: ReportSource) => makeReportLink(secretKeys, source, now() + REPORT_MS),
    /** Opens a file by its link; undefined when it does not exist or the link has expired. */
    async openByLink(link: string, name: string): Promise<OpenedArtifact | undefined> {
      const source = readReportLink(secretKeys, link, now());
      return source && openArtifactByName(collections, source, name);
    },
  };
}
