import { ScheduleNotFoundError } from '@temporalio/client';
import { expect } from 'chai';
import { nextTimes } from '#src/domain/schedules/cron.js';
import type { Schedule } from '#src/domain/schedules/schedule.js';
import {
  isUpToDate,
  isRefusal,
  upsertSchedule,
  removeSchedule,
  shownSchedules,
} from '#src/temporal/target-schedules.js';
import { aSchedule } from '#test/builders/schedule.js';
import { eventually } from '#test/support/eventually.js';
import type { WorkflowEnvironment } from './support/environment.js';
import { sharedEnvironment } from './support/shared-environment.js';

describe('schedules in Temporal', () => {
  let environment: WorkflowEnvironment;
  let made: string[];
  before(async function () {
    this.timeout(120_000);
    environment = await sharedEnvironment();
  });
  beforeEach(() => (made = []));
  afterEach(async () => {
    for (const id of made) await removeSchedule(environment.temporal, id);
  });

  const idOf = (id: string) => `runhook-${environment.temporal.installationId}-schedule-${id}`;
  async function put(schedule: Schedule): Promise<void> {
    made.push(schedule._id);
    await upsertSchedule(environment.temporal, schedule);
  }
  const describeOne = ({ _id }: Schedule) => environment.temporal.client.schedule.getHandle(idOf(_id)).describe();
  const isShown = async (schedule: Schedule) =>
    isUpToDate((await shownSchedules(environment.temporal)).get(schedule._id), schedule) || undefined;

  /** The times that Temporal returns for a range. */
  async function timesBetween({ _id }: Schedule, from: Date, to: Date): Promise<string[]> {
    const seconds = (at: Date) => ({ seconds: at.getTime() / 1000 });
    const { connection, namespace } = environment.temporal;
    const { startTime } = await connection.workflowService.listScheduleMatchingTimes({
      namespace,
      scheduleId: idOf(_id),
      startTime: seconds(from) as never,
      endTime: seconds(to) as never,
    });
    return startTime.map((time) => new Date(Number(time.seconds) * 1000).toISOString());
  }

  it('are created, updated and removed, each idempotently', async () => {
    const schedule = aSchedule({ definition: { timeZone: 'Europe/Stockholm', catchUpMs: 120_000 } });
    await put(schedule);
    await put(schedule);
    await eventually(() => isShown(schedule));
    const changed = { ...schedule, revision: 2, definition: { ...schedule.definition, paused: true } };
    await put(changed);
    await eventually(() => isShown(changed));
    const { state, policies, action } = await describeOne(schedule);
    expect(state.paused).to.equal(true);
    expect(policies).to.deep.include({ overlap: 'ALLOW_ALL', catchupWindow: 120_000, pauseOnFailure: false });
    expect(action).to.deep.include({ workflowType: 'scheduledTrigger', args: [{ scheduleId: schedule._id }] });
    await removeSchedule(environment.temporal, schedule._id);
    await removeSchedule(environment.temporal, schedule._id);
    const gone = await describeOne(schedule).catch((error: unknown) => error);
    expect(gone).to.be.instanceOf(ScheduleNotFoundError);
  });

  it('with a time zone unknown to Temporal are refused', async () => {
    for (const timeZone of ['Nowhere/Land', 'AET', 'US/Pacific-New']) {
      const error = await put(aSchedule({ definition: { timeZone } })).catch((error: unknown) => error);
      expect(isRefusal(error), String(error)).to.equal(true);
    }
  });

  it('have the next times that Runhook shows', async () => {
    const schedule = aSchedule({ definition: { cron: '*/15 9-17 * * mon-fri', timeZone: 'America/New_York' } });
    await put(schedule);
    const { info } = await describeOne(schedule);
    const ours = nextTimes(schedule.definition.cron, schedule.definition.timeZone, new Date(), 5);
    expect(info.nextActionTimes.slice(0, 5)).to.deep.equal(ours);
  });

  /** Times of day that occur every hour, once a day, and several times a day. */
  const CRONS = {
    // More would exceed Temporal's limit of 1,000.
    everyHour: ['*/5 * * * *', '@hourly', '7,37 * * * *'],
    once: [
      '30 2 * * *',
      '0 2 * * *',
      '15 3 * * 7',
      '@daily',
      '0 0 * * 0',
      '0 12 * * 5-7',
      '0 2 25 * *',
      '59 23 31 12 *',
    ],
    several: [
      '0 2,3 * * *',
      '*/20 1-3 * * *',
      '30 2 25-31/2 mar,oct *',
      '0 3 13,29 * fri,sun',
      '0 2 */2 * 1',
      '*/9 * * * 6-7',
    ],
  };
  const STAYS: [zone: string, from: string, to: string][] = [
    ['Europe/Stockholm', '2026-03-28T00:00:00Z', '2026-03-30T12:00:00Z'],
    ['America/New_York', '2026-03-07T00:00:00Z', '2026-03-09T12:00:00Z'],
    ['Asia/Kolkata', '2026-12-30T00:00:00Z', '2027-01-02T00:00:00Z'],
    ['UTC', '2026-02-27T00:00:00Z', '2026-03-02T00:00:00Z'],
  ];
  const PUT_BACK: typeof STAYS = [
    ['Europe/Stockholm', '2026-10-24T00:00:00Z', '2026-10-26T12:00:00Z'],
    ['America/New_York', '2026-10-31T00:00:00Z', '2026-11-02T12:00:00Z'],
    ['Australia/Sydney', '2026-04-04T00:00:00Z', '2026-04-06T00:00:00Z'],
  ];

  async function compare(cron: string, [timeZone, from, to]: (typeof STAYS)[number]) {
    const schedule = aSchedule({ definition: { cron, timeZone } });
    await put(schedule);
    const theirs = await timesBetween(schedule, new Date(from), new Date(to));
    // The range excludes its start and includes its end.
    const ours = nextTimes(cron, timeZone, new Date(from), 1000).filter((time) => time <= new Date(to));
    return { theirs, ours: ours.map((time) => time.toISOString()), what: `${cron} in ${timeZone}` };
  }

  for (const range of STAYS)
    it(`fire in ${range[0]} from ${range[1].slice(0, 10)} on at the computed times, when clocks are put forward`, async () => {
      for (const cron of Object.values(CRONS).flat()) {
        const { ours, theirs, what } = await compare(cron, range);
        expect(ours, what).to.deep.equal(theirs);
      }
    }).timeout(60_000);

  for (const range of PUT_BACK)
    it(`fire in ${range[0]} from ${range[1].slice(0, 10)} on at the computed times, when clocks are put back`, async () => {
      for (const cron of CRONS.everyHour) {
        const { ours, theirs, what } = await compare(cron, range);
        expect(ours, what).to.deep.equal(theirs);
      }
      for (const cron of CRONS.once) {
        const { ours, theirs, what } = await compare(cron, range);
        // West of Greenwich they occur twice; the first one is skipped when it fires.
        expect(theirs, what).to.include.members(ours);
        expect(new Set(theirs.map((time) => time.slice(0, 10))).size, what).to.equal(ours.length);
      }
    }).timeout(60_000);
});
