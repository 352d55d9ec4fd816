import type { OpenRun } from '#src/domain/runs/reconciliation.js';
import { OPEN_STATUSES, TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import { idsOf } from '#src/db/query/ids-of.js';
import type { Collections } from '#src/db/schema/collections.js';

/** Hinted, so that a page of ids is read from the index alone. */
const INDEX = 'open_runs';
const PAGE = 5000;
const OPEN = { $in: [...OPEN_STATUSES] };
const FIELDS = {
  kind: 1,
  status: 1,
  queuedAt: 1,
  startedAt: 1,
  suiteRunId: 1,
  attempts: 1,
  missingForMs: { $toDouble: { $subtract: ['$$NOW', '$missingSince'] } },
};

/** `missingForMs` is null when the run has no `missingSince`. */
type FoundRun = Omit<OpenRun, 'missingForMs'> & { missingForMs?: number | null };
const openRun = ({ missingForMs, ...run }: FoundRun): OpenRun =>
  (typeof missingForMs === 'number' ? { ...run, missingForMs } : run) as OpenRun;

export type OpenRunStore = ReturnType<typeof createOpenRunStore>;

/** Open runs, for reconcile. */
export function createOpenRunStore({ runs }: Pick<Collections, 'runs'>) {
  /** Ids from the index alone, so that a pass over 100,000 consistent open runs reads no documents. */
  async function* pagesOfIds(): AsyncIterable<string[]> {
    for (const status of OPEN_STATUSES) {
      const ofNoSuite = status === 'queued' ? { suiteRunId: { $exists: false } } : {};
      for (let last = ''; ;) {
        const options = { sort: { _id: 1 }, limit: PAGE, hint: INDEX } as const;
        const page = await idsOf(runs, { status, ...ofNoSuite, _id: { $gt: last } }, options);
        yield page;
        if (page.length < PAGE) break;
        last = page.at(-1)!;
      }
    }
  }

  return {
    /**
     * Pages of open runs that are not pending, have not changed since `before` and have no open workflow. Running
     * suites are included even if they have changed; queued test runs of suites are left out.
     */
    async *withoutWorkflow(before: Date, hasWorkflow: (runId: string) => boolean): AsyncIterable<OpenRun[]> {
      for await (const page of pagesOfIds()) {
        const ids = page.filter((id) => !hasWorkflow(id));
        if (ids.length === 0) continue;
        const unclear = {
          status: OPEN,
          dispatch: { $exists: false },
          // Recounts change a running suite too, so a recent change does not prove that it has a workflow.
          $or: [{ modified: { $lt: before } }, { kind: 'suite' as const, status: 'running' as const }],
        };
        const found = runs.find<FoundRun>({ _id: { $in: ids }, ...unclear }, { projection: FIELDS, hint: '_id_' });
        yield await found.map(openRun).toArray();
      }
    },

    /** The open test runs of a suite. */
    ofSuite: (suiteRunId: string) =>
      runs
        .find<FoundRun>({ suiteRunId, status: OPEN }, { projection: FIELDS, hint: 'suite_tests' })
        .map(openRun)
        .toArray(),

    /** Suite runs with open test runs that ended before `before` or no longer exist. */
    async overWithOpenTests(before: Date) {
      const groups = runs.aggregate<{ _id: string }>(
        [{ $match: { status: OPEN, suiteRunId: { $gt: '' } } }, { $group: { _id: '$suiteRunId' } }],
        { hint: INDEX },
      );
      const ids = await groups.map(({ _id }) => _id).toArray();
      const isOver = { status: { $in: [...TERMINAL_STATUSES] }, modified: { $lt: before } };
      const notYet = new Set(await idsOf(runs, { _id: { $in: ids }, $nor: [isOver] }, { hint: '_id_' }));
      return ids.filter((id) => !notYet.has(id));
    },

    /** The `suiteRunIds` that are open. */
    openAmong: async (suiteRunIds: readonly string[]) =>
      new Set(await idsOf(runs, { _id: { $in: [...new Set(suiteRunIds)] }, status: OPEN }, { hint: '_id_' })),

    /** Open runs whose workflow is recorded as missing. */
    missing: async () => new Set(await idsOf(runs, { status: OPEN, missingSince: { $exists: true } })),

    /** Records that a run's workflow is missing; a repeated call keeps the first time. */
    noteMissing: async (id: string): Promise<void> =>
      void (await runs.updateOne({ _id: id, status: OPEN, missingSince: { $exists: false } }, [
        { $set: { missingSince: '$$NOW' } },
      ])),

    noteFound: async (id: string): Promise<void> =>
      void (await runs.updateOne({ _id: id }, { $unset: { missingSince: '' } })),

    /** Makes a run that never started pending again. @returns false when it has changed meanwhile */
    async awaitStart(id: string) {
      const { modifiedCount } = await runs.updateOne(
        { _id: id, status: 'queued', startedAt: { $exists: false }, dispatch: { $exists: false } },
        [{ $set: { dispatch: { after: '$$NOW', attempts: 0 } } }],
      );
      return modifiedCount === 1;
    },
  };
}
