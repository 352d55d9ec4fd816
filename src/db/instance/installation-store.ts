import { randomBytes } from 'node:crypto';
import type { Installation, TemporalIdentity } from '#src/domain/installation.js';
import { OPEN_STATUSES } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';
import { ignoreDuplicateKey } from '#src/db/query/duplicate-key.js';

const ID = 'installation';
/** Short, because names contain the id, yet unique among the installations of a namespace. */
const ID_BYTES = 6;
const DAY_MS = 86_400_000;
const MAX_TIME_MS = 2000;

export type InstallationStore = ReturnType<typeof createInstallationStore>;

type Needed = Pick<Collections, 'installation' | 'runs' | 'projects' | 'users' | 'maintenance'>;

/** Each call throws the driver's error when the database does not answer. */
export function createInstallationStore(collections: Needed) {
  const { installation, runs, projects, users, maintenance } = collections;

  async function create(): Promise<void> {
    const used = await Promise.all(
      [runs, projects, users, maintenance].map((collection) =>
        // The document types differ, but only their existence matters.
        (collection as typeof runs).findOne({}, { projection: { _id: 1 }, maxTimeMS: MAX_TIME_MS }),
      ),
    );
    const isUsed = used.some((document) => document !== null);
    const id = randomBytes(ID_BYTES).toString('hex');
    const record = { id: { $literal: id }, createdAt: '$$NOW', hasLegacyNames: isUsed || undefined };
    await installation
      .updateOne({ _id: ID, id: { $exists: false } }, [{ $set: record }], { upsert: true })
      .catch(ignoreDuplicateKey);
  }

  const read = () => installation.findOne({ _id: ID }, { maxTimeMS: MAX_TIME_MS });

  async function find(): Promise<Installation> {
    const record = (await read()) ?? (await create().then(read));
    const { id, hasLegacyNames = false, temporal } = record!;
    return { id, hasLegacyNames, ...(temporal ? { temporal } : {}) };
  }

  return {
    /** Creates the installation if it is missing: concurrent calls create one. */
    find,

    /** Binds it to this Temporal unless it is bound: the first of concurrent calls wins. @returns the installation */
    async bind(temporal: TemporalIdentity) {
      await find();
      await installation.updateOne({ _id: ID, temporal: { $exists: false } }, { $set: { temporal } });
      return find();
    },

    /** Binds it to this Temporal even if it is bound to another. */
    async rebind(temporal: TemporalIdentity) {
      await find();
      await installation.updateOne({ _id: ID }, { $set: { temporal } });
    },

    /**
     * Stops using the legacy names when nothing depends on them: a day after the upgrade, to allow for a rolling
     * upgrade, and once no run from before that is open.
     */
    async endLegacyNames() {
      const upgraded = await installation.findOne(
        { _id: ID, hasLegacyNames: true, $expr: { $lt: ['$createdAt', { $subtract: ['$$NOW', DAY_MS] }] } },
        { maxTimeMS: MAX_TIME_MS },
      );
      if (!upgraded) return;
      const until = new Date(upgraded.createdAt.getTime() + DAY_MS);
      const open = await runs.findOne(
        { status: { $in: [...OPEN_STATUSES] }, queuedAt: { $lt: until } },
        { projection: { _id: 1 }, hint: 'open_runs' },
      );
      if (!open) await installation.updateOne({ _id: ID }, { $unset: { hasLegacyNames: '' } });
    },
  };
}
