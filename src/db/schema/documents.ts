import type { Binary, ObjectId } from 'mongodb';
import type { Installation } from '#src/domain/installation.js';

/* Documents whose fields concern the database only. */

export interface ArtifactFile {
  _id: ObjectId;
  filename: string;
  /** In bytes; of one that is uploaded, so far. */
  length: number;
  chunkSize: number;
  uploadDate: Date;
  metadata: {
    runId: string;
    contentType?: string;
    /** Absent in files that were kept before there were artifacts of attempts; so are those below. */
    projectId?: string;
    attempt?: number;
    delivery?: number;
    /** In hex. */
    sha256?: string;
    /** Its content is not complete: it is not shown. */
    uploading?: true;
  };
}

export interface ArtifactChunk {
  _id: ObjectId;
  files_id: ObjectId;
  n: number;
  data: Binary;
}

export interface ArtifactSpace {
  /** The project. */
  _id: string;
  bytes: number;
  /** When the files were added up last. */
  countedAt: Date;
}

/**
 * How often the tests of a project have changed. Only the database advances it, so it orders changes and triggers
 * whatever the clocks of importers and servers show (see docs/decisions/runs/definitions-at-trigger.md).
 */
export interface ChangeNumber {
  /** Project id. */
  _id: string;
  value: number;
}

/** The one document of its collection. */
export interface InstallationRecord extends Omit<Installation, 'hasLegacyNames'> {
  _id: 'installation';
  /** By the database's clock. */
  createdAt: Date;
  hasLegacyNames?: boolean;
}

/** A job that one server at a time does, and how far it has come. Times by the database's clock. */
export interface Lease {
  /** Name of the job. */
  _id: string;
  /** Of the process that does it. */
  holder: string;
  /** When it was taken, and until when it holds. */
  at: Date;
  until: Date;
  /** How far the job has come. */
  mark?: Date;
}

export type MaintenanceJob = 'reconcile' | 'retention' | 'schedules';

/** What a job of the schedules has done in all: workers have no metrics page, so the servers show it. */
export interface MaintenanceReport {
  _id: MaintenanceJob;
  /** How many of each kind. */
  counts: Record<string, number>;
  /** The end of the last pass in which nothing failed. */
  lastSuccessAt?: Date;
  /** The last pass that was added. */
  pass: string;
}

/** A token bucket that all servers draw from. */
export interface RateBucket {
  /** `token:<hash>` or `project:<id>`. */
  _id: string;
  /** Permits in it at the moment `at`, by the database's clock; with fractions. */
  permits: number;
  at: Date;
  /** What the last draw got. */
  granted: number;
}

/** How often something has happened in a window of time that all servers share. */
export interface SignInLimit {
  key: string;
  points: number;
  /** End of the window, by the database's clock. */
  expire: Date;
  /** Of the last count. */
  at?: Date;
}
