import { isTerminal, RUN_STATUSES, TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import type { Cli } from '#src/cli/cli.js';
import type { RunView } from '#src/cli/api/responses.js';
import { formatSeconds, oneLine } from '#src/cli/text.js';
import { paintStatus } from './status.js';
import { sizeOf, testRunsOf } from './test-runs.js';
import { SILENCE_MS, type Progress } from './wait.js';

const REDRAW_MS = 200;
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
/** Some CI services end a job without output for ten minutes. */
const KEEPALIVE_MS = 300_000;

/** Redraws one line on a terminal, or else prints a line per change. @param isHeld whether a question is shown */
export function showProgress(cli: Cli, isHeld: () => boolean): Progress {
  return cli.output.isLive ? liveProgress(cli, isHeld) : plainProgress(cli);
}

function liveProgress({ output, io }: Cli, isHeld: () => boolean): Progress {
  const began = performance.now();
  let last: RunView | undefined;
  let frame = 0;
  const draw = () => {
    if (!last || isHeld()) return;
    const elapsed = formatSeconds((performance.now() - began) / 1000);
    const name = oneLine(last.name).slice(0, 40);
    const line = `${SPINNER[frame++ % SPINNER.length]} ${name}: ${stateOf(last)} · ${elapsed}`;
    output.status(line.slice(0, (io.stderr.columns || 80) - 1));
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    update: (run) => {
      last = run;
      draw();
    },
    close() {
      clearInterval(timer);
      output.status(undefined);
    },
  };
}

function plainProgress({ output, http }: Cli): Progress {
  const began = performance.now();
  let lastState = '';
  let lastOutputAt = began;
  const ended = new Set<string>();
  const print = (line: string) => {
    lastOutputAt = performance.now();
    output.note(line);
  };
  return {
    async update(run, signal) {
      const state = run.kind === 'test' ? stateOf(run) : statusOf(run);
      if (state !== lastState) print(`${formatSeconds((performance.now() - began) / 1000)}  ${(lastState = state)}`);
      if (run.kind === 'suite')
        for (const test of await testRunsOf(http(), run, { signal, patienceMs: SILENCE_MS })) {
          if (!isTerminal(test.status) || ended.has(test.id)) continue;
          ended.add(test.id);
          const took = test.duration === null ? '' : ` (${formatSeconds(test.duration)})`;
          print(
            `[${ended.size}/${sizeOf(run)}] ${paintStatus(output, test.status, 'stderr')}  ${oneLine(test.name)}${took}`,
          );
        }
      if (performance.now() - lastOutputAt > KEEPALIVE_MS)
        print(`${formatSeconds((performance.now() - began) / 1000)}  still ${stateOf(run)}`);
    },
    close: () => {},
  };
}

/** The status, the reason for waiting, and the number of ended tests of a suite by status. */
function stateOf(run: RunView): string {
  const size = sizeOf(run);
  if (run.kind === 'test' || size === 0) return statusOf(run);
  const { counts } = run;
  const ended = TERMINAL_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const each = RUN_STATUSES.filter((status) => status !== 'queued' && counts[status]);
  return [`${statusOf(run)} ${ended}/${size}`, ...each.map((status) => `${counts[status]} ${status}`)].join(', ');
}

function statusOf(run: RunView): string {
  const { status, reason } = run;
  const again = run.kind === 'test' && run.attempt > 1 && !isTerminal(status) ? ` (attempt ${run.attempt})` : '';
  return `${status}${again}${reason ? `: ${oneLine(reason)}` : ''}`;
}
