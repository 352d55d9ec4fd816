import { isDuplicateKey } from './duplicate-key.js';
import type { Collections } from './collections.js';

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

/** Adds what one pass did; added again (its activity was delivered twice), it changes nothing. */
export async function addToReport(
  { maintenance }: Pick<Collections, 'maintenance'>,
  job: MaintenanceJob,
  { pass, counts, succeeded }: { pass: string; counts: Record<string, number>; succeeded: boolean },
): Promise<void> {
  const added = Object.entries(counts).map(([kind, count]) => [`counts.${kind}`, count]);
  try {
    await maintenance.updateOne(
      { _id: job, pass: { $ne: pass } },
      {
        $set: { pass },
        ...(succeeded ? { $currentDate: { lastSuccessAt: true } } : {}),
        ...(added.length > 0 ? { $inc: Object.fromEntries(added) as Record<string, number> } : {}),
      },
      { upsert: true },
    );
  } catch (error) {
    // It is there with this pass already.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** What each job has done so far. @throws the driver's error when the database does not answer in time */
export async function readReports({ maintenance }: Pick<Collections, 'maintenance'>): Promise<MaintenanceReport[]> {
  const reports = await maintenance.find({}, { maxTimeMS: 2000 }).toArray();
  // Passes that had nothing to count have written no counts.
  return reports.map((report) => ({ ...report, counts: (report as Partial<MaintenanceReport>).counts ?? {} }));
}
