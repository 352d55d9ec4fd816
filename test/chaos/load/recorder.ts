import { MongoClient } from 'mongodb';
import { collectionsOf } from '#src/db/schema/collections.js';
import type { Run } from '#src/domain/runs/run.js';
import { TERMINAL_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import { keepLooking } from '#test/chaos/keep-looking.js';

const EVERY_MS = 150;
/** How long runs are checked again after a change, so that none is missed. */
const OVERLAP_MS = 5000;
/**
 * A write that is not in the journal yet can be read and then lost in a crash; MongoDB writes the journal every 100 ms.
 */
const JOURNALED_MS = 1000;

/** A run at one moment, in ms since the epoch. */
export interface Observation {
  at: number;
  status: RunStatus;
  seq: number;
  modified: number;
}

export type Histories = Map<string, Observation[]>;

export interface Recorder {
  histories: Histories;
  /** MongoDB was killed: the latest states may never have been committed. */
  databaseKilled(): void;
  stop(): Promise<void>;
}

/** Records each state of all runs through its own connection. Outages are waited out. */
export function startRecorder(mongodbUrl: string): Recorder {
  const client = new MongoClient(mongodbUrl, { serverSelectionTimeoutMS: 1000, socketTimeoutMS: 3000 });
  const { runs } = collectionsOf(client.db());
  const histories: Histories = new Map();
  let newest = 0;
  let kills = 0;

  function note({ _id, status, seq, modified }: Run, at: number): void {
    const history = histories.get(_id) ?? [];
    histories.set(_id, history);
    const last = history.at(-1);
    if (last?.status === status && last.seq === seq && last.modified === modified.getTime()) return;
    history.push({ at, status, seq, modified: modified.getTime() });
    newest = Math.max(newest, modified.getTime());
  }

  async function look(): Promise<void> {
    const killsBefore = kills;
    const seen = await runs
      .find(
        {
          $or: [
            { modified: { $gte: new Date(newest - OVERLAP_MS) } },
            // A suite's tests are inserted with the time of its trigger, which may be long ago.
            { status: { $nin: [...TERMINAL_STATUSES] } },
          ],
        },
        { projection: { status: 1, seq: 1, modified: 1 }, maxTimeMS: 2000 },
      )
      .toArray();
    // Read from a server that was killed meanwhile.
    if (kills !== killsBefore) return;
    const at = Date.now();
    seen.forEach((run) => note(run, at));
  }

  const stopLooking = keepLooking(EVERY_MS, look);
  return {
    histories,
    databaseKilled() {
      kills++;
      const committed = Date.now() - JOURNALED_MS;
      for (const [id, history] of histories)
        histories.set(
          id,
          history.filter(({ at }) => at < committed),
        );
      newest = Math.min(newest, committed);
    },
    async stop() {
      await stopLooking();
      await look();
      await client.close();
    },
  };
}
