import type { OpenRun } from '#src/domain/runs/reconciliation.js';
import { OPEN_STATUSES, TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';

/** Named, so that a page of ids is read from the index alone. */
const INDEX = 'open_runs';
const PAGE = 5000;
const FIELDS = {
  kind: 1,
  status: 1,
  queuedAt: 1,
  startedAt: 1,
  suiteRunId: 1,
  attempts: 1,
  missingForMs: { $toDouble: { $subtract: ['$$NOW', '$missingSince'] } },
};

/** `missingForMs` is null where the field that it is made of is absent. */
type FoundRun = Omit<OpenRun, 'missingForMs'> & { missingForMs?: number | null };
const openRun = ({ missingForMs, ...run }: FoundRun): OpenRun =>
  (typeof missingForMs === 'number' ? { ...run, missingForMs } : run) as OpenRun;

/** Open runs as reconcile looks for them. */
export interface OpenRunStore {
  /**
   * Open runs, page by page, that have not moved since `before`, do not wait for their start and are not among those
   * known to have an open workflow; suites that run, whether they have moved or not. A suite's tests that wait for their turn are their suite's and not among them.
   */
  withoutWorkflow(before: Date, hasWorkflow: (runId: string) => boolean): AsyncIterable<OpenRun[]>;
  /** The open test runs of a suite. */
  ofSuite(suiteRunId: string): Promise<OpenRun[]>;
  /** Suite runs that have open tests although they are over (since before `before`) or not on record any more. */
  overWithOpenTests(before: Date): Promise<string[]>;
  /** Those of `suiteRunIds` that are not over. */
  openAmong(suiteRunIds: readonly string[]): Promise<Set<string>>;
  /** Open runs whose workflow was missed and has not been found since. */
  missing(): Promise<Set<string>>;
  /** Notes that a run's workflow is missed, unless that is noted. */
  noteMissing(id: string): Promise<void>;
  /** Its workflow was found. */
  noteFound(id: string): Promise<void>;
  /** Lets a run that never began wait for its start again. @returns false when it has moved meanwhile */
  awaitStart(id: string): Promise<boolean>;
}

export function createOpenRunStore({ runs }: Pick<Collections, 'runs'>): OpenRunStore {
  /** Ids by index, so that a pass over 100,000 open runs that are well reads no document. */
  async function* pagesOfIds(): AsyncIterable<string[]> {
    for (const status of OPEN_STATUSES) {
      const ofNoSuite = status === 'queued' ? { suiteRunId: { $exists: false } } : {};
      for (let last = ''; ;) {
        const page = await runs
          .find({ status, ...ofNoSuite, _id: { $gt: last } }, { projection: { _id: 1 }, hint: INDEX })
          .sort({ _id: 1 })
          .limit(PAGE)
          .map(({ _id }) => _id)
          .toArray();
        yield page;
        if (page.length < PAGE) break;
        last = page.at(-1)!;
      }
    }
  }

  return {
    async *withoutWorkflow(before, hasWorkflow) {
      for await (const page of pagesOfIds()) {
        const ids = page.filter((id) => !hasWorkflow(id));
        if (ids.length === 0) continue;
        const unclear = {
          status: { $in: [...OPEN_STATUSES] },
          dispatch: { $exists: false },
          // A suite that runs moves with its counts too, which says nothing of its workflow.
          $or: [{ modified: { $lt: before } }, { kind: 'suite' as const, status: 'running' as const }],
        };
        const found = runs.find<FoundRun>({ _id: { $in: ids }, ...unclear }, { projection: FIELDS, hint: '_id_' });
        yield await found.map(openRun).toArray();
      }
    },

    ofSuite: (suiteRunId) =>
      runs
        .find<FoundRun>(
          { suiteRunId, status: { $in: [...OPEN_STATUSES] } },
          { projection: FIELDS, hint: 'suite_tests' },
        )
        .map(openRun)
        .toArray(),

    async overWithOpenTests(before) {
      const groups = await runs
        .aggregate<{
          _id: string;
        }>(
          [
            { $match: { status: { $in: [...OPEN_STATUSES] }, suiteRunId: { $gt: '' } } },
            { $group: { _id: '$suiteRunId' } },
          ],
          { hint: INDEX },
        )
        .toArray();
      const ids = groups.map(({ _id }) => _id);
      const notYet = await runs
        .find(
          {
            _id: { $in: ids },
            $nor: [{ status: { $in: [...TERMINAL_STATUSES] }, modified: { $lt: before } }],
          },
          { projection: { _id: 1 }, hint: '_id_' },
        )
        .map(({ _id }) => _id)
        .toArray();
      const open = new Set(notYet);
      return ids.filter((id) => !open.has(id));
    },

    async openAmong(suiteRunIds) {
      const open = await runs
        .find(
          { _id: { $in: [...new Set(suiteRunIds)] }, status: { $in: [...OPEN_STATUSES] } },
          { projection: { _id: 1 }, hint: '_id_' },
        )
        .toArray();
      return new Set(open.map(({ _id }) => _id));
    },

    async missing() {
      const found = runs.find(
        { status: { $in: [...OPEN_STATUSES] }, missingSince: { $exists: true } },
        { projection: { _id: 1 } },
      );
      return new Set(await found.map(({ _id }) => _id).toArray());
    },

    noteMissing: async (id) =>
      void (await runs.updateOne({ _id: id, status: { $in: [...OPEN_STATUSES] }, missingSince: { $exists: false } }, [
        { $set: { missingSince: '$$NOW' } },
      ])),

    noteFound: async (id) => void (await runs.updateOne({ _id: id }, { $unset: { missingSince: '' } })),

    async awaitStart(id) {
      const { modifiedCount } = await runs.updateOne(
        { _id: id, status: 'queued', startedAt: { $exists: false }, dispatch: { $exists: false } },
        [{ $set: { dispatch: { after: '$$NOW', attempts: 0 } } }],
      );
      return modifiedCount === 1;
    },
  };
}
