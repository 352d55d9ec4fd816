import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { refusalOf, type Schedule } from '#src/domain/schedules/schedule.js';
import { cronInWords } from '#src/web/texts/cron-words.js';
import { DataTable } from './data-table.js';
import { Moment } from './moment.js';
import { Status } from './status.js';

/** A schedule as lists show it. */
export interface ShownSchedule {
  schedule: Schedule;
  target: { kind: TargetKind; id: string; name: string };
  next: readonly Date[];
  lastStatus?: RunStatus;
}

/** Schedules: what they start, when, and what came of it. @param withTarget false: all are of the page's own */
export function ScheduleTable({ items, withTarget }: { items: readonly ShownSchedule[]; withTarget: boolean }) {
  return (
    <DataTable
      class="schedule-list"
      items={items}
      columns={[
        { label: 'Schedule', cell: ({ schedule }) => <a href={`/schedules/${schedule._id}`}>{schedule.name}</a> },
        withTarget && { label: 'Starts', cell: ({ target }) => <TargetLink {...target} /> },
        { label: 'When', cell: ({ schedule }) => <When {...schedule.definition} /> },
        { label: 'Next run', cell: (shown) => <NextTime {...shown} /> },
        { label: 'Last run', cell: (shown) => <LastTime {...shown} /> },
      ]}
    />
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
      <code class="nowrap">{cron}</code> <span class="muted">{timeZone}</span>
    </>
  );
}

function NextTime({ schedule, next: [next] }: Pick<ShownSchedule, 'schedule' | 'next'>) {
  if (refusalOf(schedule)) return <Refused />;
  if (schedule.definition.paused) return <Paused />;
  return next ? <Moment at={next} /> : <>–</>;
}

export function Refused() {
  return <span class="badge text-bg-danger">rejected by Temporal</span>;
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
