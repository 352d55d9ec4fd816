import { listArtifacts, openArtifact, openArtifactByName, type OpenedArtifact } from '#src/db/artifacts/artifacts.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { Clock } from '#src/domain/clock.js';
import { makeReportLink, readReportLink, type ReportSource } from '#src/domain/targets/report-link.js';

/** How long a page of a report can ask for its parts. */
const REPORT_MS = 3_600_000;

export type { OpenedArtifact };
export type ArtifactReader = ReturnType<typeof createArtifactReader>;

/** Reads the files of runs. */
export function createArtifactReader(collections: Collections, secretKeys: readonly Buffer[], clock: Clock) {
  const now = () => clock.now().getTime();
  return {
    list: (runId: string) => listArtifacts(collections, runId),
    /** A file of a run, and its content as it is read; undefined, there is none. */
    open: (runId: string, id: string) => openArtifact(collections, runId, id),
    /** Opens the files of an attempt for an hour to whoever has it. */
    linkToReport: (source: ReportSource) => makeReportLink(secretKeys, source, now() + REPORT_MS),
    /** A file of the attempt that a link opens; undefined, there is none, or the link has ended. */
    async openByLink(link: string, name: string): Promise<OpenedArtifact | undefined> {
      const source = readReportLink(secretKeys, link, now());
      return source && openArtifactByName(collections, source, name);
    },
  };
}
