import type { Binary, ObjectId } from 'mongodb';
import type { Installation } from '#src/domain/installation.js';

/* Documents that only the database layer uses. */

export interface ArtifactFile {
  _id: ObjectId;
  filename: string;
  /** In bytes; during an upload, the bytes received so far. */
  length: number;
  chunkSize: number;
  uploadDate: Date;
  metadata: {
    runId: string;
    contentType?: string;
    /** This and the fields below are absent in files from versions without artifacts per attempt. */
    projectId?: string;
    attempt?: number;
    delivery?: number;
    /** In hex. */
    sha256?: string;
    /** The content is incomplete, so the file is not listed. */
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
  /** Project id. */
  _id: string;
  bytes: number;
  /** When the stored files were last counted. */
  countedAt: Date;
}

/**
 * How often the tests of a project have changed. Only the database increments it, so it orders changes and triggers
 * independently of process clocks (see docs/decisions/runs/definitions-at-trigger.md).
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

/** A job that only one server at a time runs, and its progress. Times by the database's clock. */
export interface Lease {
  /** Name of the job. */
  _id: string;
  /** Id of the process that runs the job. */
  holder: string;
  /** Start and end of the lease. */
  at: Date;
  until: Date;
  /** Progress of the job: everything up to this time is processed. */
  mark?: Date;
}

export type MaintenanceJob = 'reconcile' | 'retention' | 'schedules';

/** Totals of a maintenance job. Workers have no metrics endpoint, so the servers report them. */
export interface MaintenanceReport {
  _id: MaintenanceJob;
  counts: Record<string, number>;
  /** The end of the last pass without failures. */
  lastSuccessAt?: Date;
  /** The last pass that was added to the totals. */
  pass: string;
}

/** A token bucket shared by all servers. */
export interface RateBucket {
  /** `token:<hash>` or `project:<id>`. */
  _id: string;
  /** Permits available at `at`, by the database's clock; may be fractional. */
  permits: number;
  at: Date;
  /** Permits granted to the last request. */
  granted: number;
}

/** Failed sign-ins in a time window shared by all servers. */
export interface SignInLimit {
  key: string;
  points: number;
  /** End of the window, by the database's clock. */
  expire: Date;
  /** Time of the last failure. */
  at?: Date;
}
