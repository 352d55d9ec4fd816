import { expect } from 'chai';
import type { Lease } from '#src/db/schema/documents.js';
import { refusalOf, type Schedule } from '#src/domain/schedules/schedule.js';
import { startScheduleSync, repairSchedules, type ScheduleSyncDeps } from '#src/services/schedules/schedule-sync.js';
import { isUpToDate, optionsOf, type ShownSchedule } from '#src/temporal/target-schedules.js';
import { aSchedule } from '#test/builders/schedule.js';
import { eventually } from '#test/support/eventually.js';

const REFUSED = new TypeError('unknown time zone');

describe('schedule sync', () => {
  let records: Map<string, Schedule>;
  let engine: Map<string, ShownSchedule>;
  let calls: string[];
  let notes: string[];
  let isDown: boolean;
  beforeEach(() => {
    [records, engine, calls, notes, isDown] = [new Map(), new Map(), [], [], false];
  });

  const deps = (some: Partial<ScheduleSyncDeps> = {}): ScheduleSyncDeps => ({
    schedules: {
      find: async (id) => records.get(id),
      live: async () => [...records.values()].filter(({ archivedAt }) => !archivedAt),
      noteAcceptance: async ({ _id, revision }, message) => {
        notes.push(message ?? 'accepted');
        const { engineRefusal: _old, ...schedule } = records.get(_id)!;
        const engineRefusal = { revision, message: message!, at: new Date() };
        records.set(_id, message === undefined ? schedule : { ...schedule, engineRefusal });
      },
    },
    engine: {
      async shown() {
        if (isDown) throw new Error('Temporal is unavailable');
        return new Map(engine);
      },
      isUpToDate,
      async put(schedule) {
        if (isDown) throw new Error('Temporal is unavailable');
        if (schedule.definition.timeZone === 'Mars') throw REFUSED;
        calls.push(`put ${schedule.name}`);
        engine.set(schedule._id, optionsOf({ installationId: 'test' }, schedule).state);
      },
      async remove(id) {
        calls.push('remove');
        engine.delete(id);
      },
      removeLegacy: async () => 0,
      isRefusal: (error) => error === REFUSED,
    },
    lease: { acquire: async () => ({}) as Lease, advance: async () => true, release: async () => {} },
    log: { info: () => {}, warn: () => {}, debug: () => {} },
    ...some,
  });

  function given(some: Parameters<typeof aSchedule>[0] = {}): Schedule {
    const schedule = aSchedule(some);
    records.set(schedule._id, schedule);
    return schedule;
  }

  it('creates schedules, and does not change them afterwards', async () => {
    given({ name: 'A' });
    given({ name: 'B' });
    given({ name: 'Gone', archivedAt: new Date() });
    expect(await repairSchedules(deps())).to.equal(2);
    expect(calls).to.deep.equal(['put A', 'put B']);
    expect(await repairSchedules(deps())).to.equal(0);
  });

  it('updates changed schedules, and removes those that are not in the database', async () => {
    const schedule = given({ name: 'A' });
    await repairSchedules(deps());
    calls = [];
    engine.set('somebody-elses-id', { paused: false, note: '' });
    engine.set(schedule._id, { ...engine.get(schedule._id)!, paused: true });
    expect(await repairSchedules(deps())).to.equal(2);
    records.set(schedule._id, { ...schedule, revision: 2 });
    expect(await repairSchedules(deps())).to.equal(1);
    records.set(schedule._id, { ...schedule, archivedAt: new Date() });
    expect(await repairSchedules(deps())).to.equal(1);
    expect(calls).to.deep.equal(['put A', 'remove', 'put A', 'remove']);
    expect(engine.size).to.equal(0);
  });

  it('synchronizes all others when Temporal rejects one', async () => {
    given({ name: 'Mars', definition: { timeZone: 'Mars', cron: '0 6 * * *' } });
    given({ name: 'A' });
    const refusing = deps();
    // The cron expression is not validated here.
    refusing.engine.isUpToDate = (shown) => shown !== undefined;
    const error = await repairSchedules(refusing).catch((error: unknown) => error);
    expect(error).to.equal(REFUSED);
    expect(calls).to.deep.equal(['put A']);
  });

  it('records a rejection once per revision, until Temporal accepts the schedule', async () => {
    const schedule = given({ name: 'Mars', definition: { timeZone: 'Mars', cron: '0 6 * * *' } });
    const refusing = deps();
    refusing.engine.isUpToDate = (shown) => shown !== undefined;
    const repair = () => repairSchedules(refusing).catch((error: unknown) => error);
    expect(await repair()).to.equal(REFUSED);
    expect(refusalOf(records.get(schedule._id)!)).to.include({ revision: 1, message: 'unknown time zone' });
    await repair();
    expect(notes, 'it is written once').to.deep.equal(['unknown time zone']);
    const edited = { ...records.get(schedule._id)!, revision: 2 };
    expect(refusalOf(edited), 'nothing is known of the new revision').to.equal(undefined);
    records.set(schedule._id, { ...edited, definition: { ...edited.definition, timeZone: 'UTC' } });
    expect(await repair()).to.equal(1);
    expect(notes).to.deep.equal(['unknown time zone', 'accepted']);
    expect(records.get(schedule._id)).not.to.have.property('engineRefusal');
  });

  it('synchronizes at an edit, which does not fail while Temporal is unavailable', async () => {
    const keeper = startScheduleSync(deps({ lease: { ...deps().lease, acquire: async () => undefined } }));
    const schedule = given({ name: 'A' });
    isDown = true;
    await keeper.changed(schedule._id);
    isDown = false;
    await keeper.changed(schedule._id);
    records.set(schedule._id, { ...schedule, archivedAt: new Date() });
    await keeper.changed(schedule._id);
    expect(calls).to.deep.equal(['put A', 'remove']);
    await keeper.stop();
  });

  it('runs at once on the server that holds the lease', async () => {
    given({ name: 'A' });
    const keeper = startScheduleSync(deps());
    await eventually(() => (calls.length > 0 ? true : undefined));
    await keeper.stop();
    expect(calls).to.deep.equal(['put A']);
  });
});
