import type { LogLine } from '#src/domain/runs/log-line.js';
import { placeText } from '#src/web/texts/log-place.js';
import { LogLines } from './log-lines.js';

export interface LogViewProps {
  runId: string;
  lines: readonly LogLine[];
  hasEarlier: boolean;
  hasLater: boolean;
  isOver: boolean;
}

/** The log of a test run: a part of it, with links to what is around; log.js loads that in place, searches and follows. */
export function LogView(props: LogViewProps) {
  const { runId, lines, hasEarlier, hasLater, isOver } = props;
  const path = `/runs/${runId}`;
  return (
    <section aria-labelledby="log" data-log={`${path}/log/lines`} data-over={isOver}>
      <h2 id="log">Log</h2>
      <LogTools path={path} />
      <p class="muted" data-log-empty hidden={lines.length > 0}>
        {isOver ? 'The test produced no output.' : 'No output yet.'}
      </p>
      <div class="log-box" tabindex={0} role="region" aria-label="Lines of the log" data-log-box>
        <p data-log-earlier hidden={!hasEarlier}>
          <a href={`${path}?before=${lines[0] ? placeText(lines[0]) : ''}#log`}>Earlier lines</a>
        </p>
        <ol class="log" data-log-lines>
          <LogLines lines={lines} />
        </ol>
        <p data-log-later hidden={!hasLater}>
          <a href={`${path}#log`}>Jump to the end</a>
        </p>
      </div>
    </section>
  );
}

/** Search and follow are for scripts; without them the browser's own search does. */
function LogTools({ path }: { path: string }) {
  return (
    <div class="log-tools">
      <form role="search" data-log-search hidden>
        <label class="visually-hidden" for="log-search">
          Search in the log
        </label>
        <input class="form-control" id="log-search" type="search" placeholder="Search in the log" autocomplete="off" />
        <button type="button" class="btn btn-outline-secondary" data-log-step="-1" aria-label="Previous match">
          <span aria-hidden="true">↑</span>
        </button>
        <button type="button" class="btn btn-outline-secondary" data-log-step="1" aria-label="Next match">
          <span aria-hidden="true">↓</span>
        </button>
        <span class="muted" role="status" data-log-count />
      </form>
      <button type="button" class="btn btn-outline-secondary" aria-pressed="false" data-log-follow hidden>
        Follow
      </button>
      <a class="btn btn-outline-secondary" href={`${path}/log`} download>
        Download
      </a>
    </div>
  );
}
