import { isTerminal, RUN_STATUSES, TERMINAL_STATUSES } from '#src/domain/runs/run-status.js';
import type { Cli } from '#src/cli/cli.js';
import type { RunView } from '#src/cli/api/answers.js';
import { formatSeconds, oneLine } from '#src/cli/text.js';
import { paintStatus } from './status.js';
import { sizeOf, testRunsOf } from './test-runs.js';
import { SILENCE_MS, type Progress } from './wait.js';

const REDRAW_MS = 200;
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
/** Some CI services end a job that says nothing for ten minutes. */
const SIGN_OF_LIFE_MS = 300_000;

/** On a terminal one line that redraws, elsewhere a line for each change. @param isHeld the terminal is somebody else's */
export function showProgress(cli: Cli, isHeld: () => boolean): Progress {
  return cli.voice.isLive ? liveProgress(cli, isHeld) : plainProgress(cli);
}

function liveProgress({ voice, io }: Cli, isHeld: () => boolean): Progress {
  const began = performance.now();
  let last: RunView | undefined;
  let frame = 0;
  const draw = () => {
    if (!last || isHeld()) return;
    const elapsed = formatSeconds((performance.now() - began) / 1000);
    const name = oneLine(last.name).slice(0, 40);
    const words = `${SPINNER[frame++ % SPINNER.length]} ${name}: ${stateOf(last)} · ${elapsed}`;
    voice.status(words.slice(0, (io.stderr.columns || 80) - 1));
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    seen: (run) => {
      last = run;
      draw();
    },
    close() {
      clearInterval(timer);
      voice.status(undefined);
    },
  };
}

function plainProgress({ voice, http }: Cli): Progress {
  const began = performance.now();
  let said = '';
  let saidAt = began;
  const ended = new Set<string>();
  const say = (line: string) => {
    saidAt = performance.now();
    voice.note(line);
  };
  return {
    async seen(run, signal) {
      const state = run.kind === 'test' ? stateOf(run) : statusOf(run);
      if (state !== said) say(`${formatSeconds((performance.now() - began) / 1000)}  ${(said = state)}`);
      if (run.kind === 'suite')
        for (const test of await testRunsOf(http(), run, { signal, patienceMs: SILENCE_MS })) {
          if (!isTerminal(test.status) || ended.has(test.id)) continue;
          ended.add(test.id);
          const took = test.duration === null ? '' : ` (${formatSeconds(test.duration)})`;
          say(
            `[${ended.size}/${sizeOf(run)}] ${paintStatus(voice, test.status, 'stderr')}  ${oneLine(test.name)}${took}`,
          );
        }
      if (performance.now() - saidAt > SIGN_OF_LIFE_MS)
        say(`${formatSeconds((performance.now() - began) / 1000)}  still ${stateOf(run)}`);
    },
    close: () => {},
  };
}

/** In few words: the status, what it waits for, how many of a suite's tests are over and how. */
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
