import type { RunStatus } from '#src/domain/runs/run-status.js';
import { formatCount, formatMs } from '#src/web/texts/format.js';

export interface TrendPoint {
  status: RunStatus;
  durationMs: number;
}

const WIDTH = 120;
const HEIGHT = 28;
const PAD = 4;

/** How the durations of the last runs went, as a line; a run that did not pass is marked by a cross. */
export function Sparkline({ recent, label = 'Duration' }: { recent: readonly TrendPoint[]; label?: string }) {
  if (recent.length < 2) return <span class="muted">–</span>;
  const longest = Math.max(...recent.map(({ durationMs }) => durationMs), 1);
  const step = (WIDTH - 2 * PAD) / (recent.length - 1);
  const points = recent.map(({ status, durationMs }, index) => ({
    status,
    x: round(PAD + index * step),
    y: round(HEIGHT - PAD - (durationMs / longest) * (HEIGHT - 2 * PAD)),
  }));
  return (
    <svg
      class="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={inWords(recent, label)}
    >
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
      />
      {points
        .filter(({ status }) => status !== 'passed')
        .map(({ x, y }) => (
          <path key={x} class="bad" d={`M${x - 3},${y - 3}l6,6m0,-6l-6,6`} stroke="currentColor" stroke-width="1.75" />
        ))}
    </svg>
  );
}

function inWords(recent: readonly TrendPoint[], label: string): string {
  const durations = recent.map(({ durationMs }) => durationMs);
  const bad = recent.filter(({ status }) => status !== 'passed').length;
  return (
    `${label} of the last ${formatCount(recent.length, 'run')}: ${formatMs(Math.min(...durations))} to ` +
    `${formatMs(Math.max(...durations))}, the last ${formatMs(durations.at(-1)!)}; ` +
    (bad === 0 ? 'all passed.' : `${bad} did not pass.`)
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
