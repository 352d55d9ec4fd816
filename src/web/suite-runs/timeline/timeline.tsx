import { lanesOf } from '#src/domain/runs/lanes.js';
import { isTerminal, RUN_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import type { SuiteRun } from '#src/domain/runs/run.js';
import { statusLabel } from '#src/web/components/status.js';
import { formatDuration } from '#src/web/texts/format.js';
import { axisFor } from './axis.js';

/** A test of a suite run that has begun. */
interface TimelineSlot {
  name: string;
  status: RunStatus;
  startedAt: Date;
  endedAt?: Date;
}

export interface TimelineProps {
  run: Pick<SuiteRun, '_id' | 'status' | 'startedAt' | 'endedAt'>;
  slots: readonly TimelineSlot[];
  now: Date;
  /** For a page that asks for it again and again. */
  isPart?: boolean;
}

/** The chart's units; it is stretched to the page's width. */
const WIDTH = 1000;
const HEIGHT_MAX = 200;
const LANE_MAX = 20;
/** Up to this many bars are elements of their own, with a name to hover over. */
const NAMED_MAX = 300;
/** While it runs the chart is redrawn: a large one less often. */
const EVERY = { few: '5s', many: '15s' };

/** How much of its lane's height a bar fills: so that the status shows by more than its color. */
const FILL: Record<RunStatus, number> = {
  failed: 1,
  error: 1,
  auto_retrying: 0.85,
  running: 0.85,
  passed: 0.7,
  stopped: 0.4,
  skipped: 0.4,
  queued: 0.4,
};

interface Bar extends TimelineSlot {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Which test of a suite run ran when, in the lanes of its slots. */
export function Timeline({ run, slots, now, isPart }: TimelineProps) {
  const isOver = isTerminal(run.status);
  const every = `every ${slots.length > NAMED_MAX ? EVERY.many : EVERY.few}`;
  return (
    <div
      id="timeline-chart"
      {...(isOver ? {} : askedFor(run._id, every))}
      {...(isPart ? { 'hx-swap-oob': 'outerHTML' } : {})}
    >
      {slots.length === 0 ? (
        <p class="muted">{isOver ? 'No tests started.' : 'No tests started yet.'}</p>
      ) : (
        <Chart run={run} slots={slots} now={now} />
      )}
    </div>
  );
}

/** The answer finds its place by its id: what is no chart, as the page of an error, goes nowhere. */
export function askedFor(runId: string, trigger: string) {
  return { 'hx-get': `/runs/${runId}/timeline`, 'hx-trigger': trigger, 'hx-swap': 'none' };
}

function Chart({ run, slots, now }: TimelineProps) {
  const end = run.endedAt ?? now;
  const from = slots.reduce((least, { startedAt }) => Math.min(least, startedAt.getTime()), end.getTime());
  const spans = slots.map((slot) => ({ from: slot.startedAt.getTime(), to: (slot.endedAt ?? end).getTime() }));
  const to = spans.reduce((most, span) => Math.max(most, span.to), from);
  const { lanes, count } = lanesOf(spans);
  const lane = Math.min(LANE_MAX, HEIGHT_MAX / count);
  const axis = axisFor(to - from);
  const bars = slots.map((slot, index): Bar => {
    const [x, right] = [spans[index]!.from, spans[index]!.to].map((at) => ((at - from) / axis.ms) * WIDTH);
    const height = lane * FILL[slot.status];
    return { ...slot, x: x!, y: (lanes[index]! + 1) * lane - height, width: Math.max(1, right! - x!), height };
  });
  const present = RUN_STATUSES.filter((status) => bars.some((bar) => bar.status === status));
  const height = Math.ceil(lane * count);
  return (
    <figure class="timeline">
      <svg
        role="img"
        aria-labelledby="timeline-summary"
        viewBox={`0 0 ${WIDTH} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
      >
        {axis.labels.map((label, index) => {
          const x = (index / (axis.labels.length - 1)) * WIDTH;
          return <line key={label} class="grid" x1={x} x2={x} y1="0" y2={height} />;
        })}
        {bars.length <= NAMED_MAX
          ? bars.map((bar, index) => <NamedBar key={index} bar={bar} />)
          : present.map((status) => <Bars key={status} status={status} bars={bars} />)}
      </svg>
      <div class="axis" aria-hidden="true">
        {axis.labels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <figcaption>
        <p id="timeline-summary">{summaryOf(bars, count, to - from)}</p>
        <ul class="legend">
          {present.map((status) => (
            <li key={status}>
              <svg width="16" height="16" aria-hidden="true">
                <rect class={`fill-${status}`} y={16 * (1 - FILL[status])} width="16" height={16 * FILL[status]} />
              </svg>{' '}
              {statusLabel(status)}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function NamedBar({ bar: { name, status, startedAt, endedAt, x, y, width, height } }: { bar: Bar }) {
  return (
    <rect class={`fill-${status}`} x={short(x)} y={short(y)} width={short(width)} height={short(height)}>
      <title>{`${name}: ${statusLabel(status)}${endedAt ? `, ${formatDuration(startedAt, endedAt)}` : ''}`}</title>
    </rect>
  );
}

/** All bars of a status as one shape: thousands of elements would be slow. */
function Bars({ status, bars }: { status: RunStatus; bars: readonly Bar[] }) {
  const some = bars.filter((bar) => bar.status === status);
  const shape = some
    .map(({ x, y, width, height }) => `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h-${short(width)}z`)
    .join('');
  return (
    <path class={`fill-${status}`} d={shape}>
      <title>{`${some.length} ${statusLabel(status)}`}</title>
    </path>
  );
}

const short = (value: number) => String(Math.round(value * 10) / 10);

function summaryOf(bars: readonly Bar[], lanes: number, ms: number): string {
  const began = new Date(0);
  const longest = bars.reduce((most, bar) => (bar.width > most.width ? bar : most));
  const took = longest.endedAt ? ` (${formatDuration(longest.startedAt, longest.endedAt)})` : '';
  const side = lanes === 1 ? 'one after another' : `up to ${lanes} concurrently`;
  return `${bars.length.toLocaleString('en')} test${bars.length === 1 ? '' : 's'} in ${formatDuration(began, new Date(ms))}, ${side}. The longest is “${longest.name}”${took}.`;
}
