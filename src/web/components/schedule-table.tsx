import type { RunStatus } from '../../domain/run-status.js';
import { refusalOf, type Schedule } from '../../domain/schedule.js';
import { cronInWords } from '../cron-words.js';
import { Moment } from './moment.js';
import { Status } from './status.js';

/** A schedule as lists show it. */
export interface ShownSchedule {
  schedule: Schedule;
  target: { kind: 'test' | 'suite'; id: string; name: string };
  next: readonly Date[];
  lastStatus?: RunStatus;
}

/** Schedules: what they start, when, and what came of it. @param withTarget false: all are of the page's own */
export function ScheduleTable({ items, withTarget }: { items: readonly ShownSchedule[]; withTarget: boolean }) {
  return (
    <table class="schedule-list">
      <thead>
        <tr>
          <th scope="col">Schedule</th>
          {withTarget ? <th scope="col">Starts</th> : null}
          <th scope="col">When</th>
          <th scope="col">Next time</th>
          <th scope="col">Last time</th>
        </tr>
      </thead>
      <tbody>
        {items.map((shown) => (
          <tr key={shown.schedule._id}>
            <th scope="row">
              <a href={`/schedules/${shown.schedule._id}`}>{shown.schedule.name}</a>
            </th>
            {withTarget ? (
              <td data-label="Starts">
                <TargetLink {...shown.target} />
              </td>
            ) : null}
            <td data-label="When">
              <When {...shown.schedule.definition} />
            </td>
            <td data-label="Next time">
              <NextTime {...shown} />
            </td>
            <td data-label="Last time">
              <LastTime {...shown} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function TargetLink({ kind, id, name }: ShownSchedule['target']) {
  return (
    <>
      <a href={`/${kind}s/${id}`}>{name}</a> <span class="muted">{kind}</span>
    </>
  );
}

/** A cron in words where there are some, as it is written, and its zone. */
export function When({ cron, timeZone }: Pick<Schedule['definition'], 'cron' | 'timeZone'>) {
  const words = cronInWords(cron);
  return (
    <>
      {words ? `${words} ` : null}
      <code>{cron}</code> <span class="muted">{timeZone}</span>
    </>
  );
}

function NextTime({ schedule, next: [next] }: Pick<ShownSchedule, 'schedule' | 'next'>) {
  if (refusalOf(schedule)) return <Refused />;
  if (schedule.definition.paused) return <Paused />;
  return next ? <Moment at={next} /> : <>–</>;
}

export function Refused() {
  return <span class="badge text-bg-danger">not accepted by Temporal</span>;
}

export function Paused() {
  return <span class="badge text-bg-secondary">paused</span>;
}

/** What came of its last time. */
export function LastTime({ schedule: { lastFired }, lastStatus }: Pick<ShownSchedule, 'schedule' | 'lastStatus'>) {
  if (!lastFired) return <>none yet</>;
  const { at, runId, refusedBecause } = lastFired;
  if (runId === undefined)
    return (
      <>
        <Moment at={at} />: not started. {refusedBecause}
      </>
    );
  return (
    <>
      {lastStatus ? (
        <a href={`/runs/${runId}`}>
          <Moment at={at} />
        </a>
      ) : (
        <Moment at={at} />
      )}{' '}
      {lastStatus ? <Status status={lastStatus} /> : null}
    </>
  );
}
