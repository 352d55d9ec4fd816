import { isTerminal, RUN_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import type { CountedSuiteRun } from '#src/domain/runs/run.js';
import { statusLabel, Status } from '#src/web/components/status.js';
import { LIVE_PART } from '#src/web/components/live/live-part.js';
import { formatDuration } from '#src/web/texts/format.js';

/** What is over first, what is to come last. */
const BAR_ORDER: readonly RunStatus[] = [
  'passed',
  'failed',
  'error',
  'stopped',
  'skipped',
  'auto_retrying',
  'running',
  'queued',
];

export interface ProgressProps {
  run: CountedSuiteRun;
  /** How long earlier runs of the suite took, in ms. */
  usualMs?: number | undefined;
  now: Date;
  isPart?: boolean;
}

/** How far a suite run is: a bar by status, and the counts as links to these tests. */
export function Progress({ run, usualMs, now, isPart }: ProgressProps) {
  const { counts } = run;
  const total = RUN_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  const present = BAR_ORDER.filter((status) => counts[status] > 0);
  const words = present.map((status) => `${counts[status]} ${statusLabel(status)}`).join(', ');
  return (
    <div id="suite-progress" {...(isPart ? LIVE_PART : {})}>
      <p class="muted">{progressText(run, total, usualMs, now)}</p>
      {total === 0 ? null : (
        <svg
          class="status-bar"
          role="img"
          aria-label={`Tests by status: ${words}`}
          viewBox="0 0 1000 16"
          width="100%"
          height="16"
          preserveAspectRatio="none"
        >
          {present.map((status, index) => {
            const before = present.slice(0, index).reduce((sum, one) => sum + counts[one], 0);
            const [x, width] = [before, counts[status]].map((count) => (count / total) * 1000) as [number, number];
            return <rect key={status} class={`fill-${status}`} x={x.toFixed(1)} width={width.toFixed(1)} height="16" />;
          })}
        </svg>
      )}
      <ul class="counts" aria-label="Tests by status">
        {present.map((status) => (
          <li key={status}>
            <a href={`/runs/${run._id}?status=${status}#tests`}>
              <span>{counts[status].toLocaleString('en')}</span> <Status status={status} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function progressText(run: CountedSuiteRun, total: number, usualMs: number | undefined, now: Date): string {
  const { counts, startedAt } = run;
  if (total === 0) return isTerminal(run.status) ? 'The run ended before its tests started.' : 'No tests started yet.';
  if (isTerminal(run.status)) return `${testsOf(total)}.`;
  const over = total - counts.queued - counts.running - counts.auto_retrying;
  const percent = Math.floor((over / total) * 100);
  return `${over.toLocaleString('en')} of ${testsOf(total)} over (${percent} %). ${timeLeft(startedAt, usualMs, now)}`;
}

const testsOf = (count: number) => `${count.toLocaleString('en')} test${count === 1 ? '' : 's'}`;

/** From earlier runs. */
function timeLeft(startedAt: Date | undefined, usualMs: number | undefined, now: Date): string {
  if (!startedAt || usualMs === undefined) return '';
  const usualEnd = new Date(startedAt.getTime() + usualMs);
  const usually = formatDuration(startedAt, usualEnd);
  return usualEnd > now
    ? `About ${formatDuration(now, usualEnd)} left: earlier runs took ${usually}.`
    : `Longer than usual: earlier runs took ${usually}.`;
}
