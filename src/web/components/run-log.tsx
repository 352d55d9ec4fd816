import type { LogLine, LogStream } from '../../domain/log-line.js';
import { formatCount, formatLogText } from '../format.js';

const MARKS: Record<LogStream, string> = { stdout: 'out', stderr: 'err', system: 'runhook' };

export interface RunLogProps {
  /** In order. */
  lines: LogLine[];
  /** There are more lines than these. */
  isLonger: boolean;
  isOver: boolean;
}

/** The log of a test run, a part for each attempt (and each delivery of it). */
export function RunLog({ lines, isLonger, isOver }: RunLogProps) {
  return (
    <section aria-labelledby="log">
      <h2 id="log">Log</h2>
      {isLonger ? (
        <p class="notice">This page shows the first {formatCount(lines.length, 'line')} of the log. It is longer.</p>
      ) : null}
      {lines.length === 0 ? <p class="muted">{isOver ? 'The test printed nothing.' : 'Nothing printed yet.'}</p> : null}
      {partsOf(lines).map((part) => (
        <LogPart key={part[0]!._id} lines={part} />
      ))}
      {isLonger ? <p class="notice">The log goes on from here; this page does not show the rest.</p> : null}
    </section>
  );
}

function LogPart({ lines }: { lines: LogLine[] }) {
  const { attempt, delivery } = lines[0]!;
  return (
    <>
      <h3>
        Attempt {attempt}
        {delivery > 1 ? `, delivery ${delivery}` : ''}
      </h3>
      <ol class="log">
        {lines.map(({ _id, at, stream, text }) => (
          <li key={_id} class={stream}>
            <time datetime={at.toISOString()}>{at.toISOString().slice(11, 23)}</time>
            <span class="mark">{MARKS[stream]}</span>
            <span class="text">{formatLogText(text)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Neighbours of the same attempt and delivery together. */
function partsOf(lines: LogLine[]): LogLine[][] {
  const parts: LogLine[][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last && last[0]!.attempt === line.attempt && last[0]!.delivery === line.delivery) last.push(line);
    else parts.push([line]);
  }
  return parts;
}
