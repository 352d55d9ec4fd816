import { ignoreDuplicateKey } from '#src/db/query/duplicate-key.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { MaintenanceJob, MaintenanceReport } from '#src/db/schema/documents.js';

/** Adds the counts of a pass. Idempotent: the activity may be delivered twice. */
export async function addToReport(
  { maintenance }: Pick<Collections, 'maintenance'>,
  job: MaintenanceJob,
  { pass, counts, succeeded }: { pass: string; counts: Record<string, number>; succeeded: boolean },
): Promise<void> {
  const added = Object.entries(counts).map(([kind, count]) => [`counts.${kind}`, count]);
  const updated = maintenance.updateOne(
    { _id: job, pass: { $ne: pass } },
    {
      $set: { pass },
      ...(succeeded ? { $currentDate: { lastSuccessAt: true } } : {}),
      ...(added.length > 0 ? { $inc: Object.fromEntries(added) as Record<string, number> } : {}),
    },
    { upsert: true },
  );
  // A duplicate: the report already includes this pass.
  await updated.catch(ignoreDuplicateKey);
}

/** @throws the driver's error when the database does not answer in time */
export async function readReports({ maintenance }: Pick<Collections, 'maintenance'>): Promise<MaintenanceReport[]> {
  const reports = await maintenance.find({}, { maxTimeMS: 2000 }).toArray();
  // `counts` is absent until a pass has counted something.
  return reports.map((report) => ({ ...report, counts: (report as Partial<MaintenanceReport>).counts ?? {} }));
}
