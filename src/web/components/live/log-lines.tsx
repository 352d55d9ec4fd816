import type { LogLine, LogStream } from '#src/domain/runs/log-line.js';
import { lineId, placeText } from '#src/web/texts/log-place.js';
import { PrintedLine } from '#src/web/components/run/printed.js';

const MARKS: Record<LogStream, string> = { stdout: 'out', stderr: 'err', system: 'runhook' };

/** Lines of a log as items of a list: a heading where another attempt begins. @param after the line before them, if known */
export function LogLines({ lines, after }: { lines: readonly LogLine[]; after?: Part | undefined }) {
  return (
    <>
      {lines.map((line, index) => {
        const before = index === 0 ? after : lines[index - 1];
        return (
          <>
            {before && partName(before) === partName(line) ? null : <PartHeading {...line} />}
            <Line key={line._id} {...line} />
          </>
        );
      })}
    </>
  );
}

type Part = Pick<LogLine, 'attempt' | 'delivery'>;

const partName = ({ attempt, delivery }: Part) => `${attempt}.${delivery}`;

function PartHeading({ attempt, delivery }: Part) {
  return (
    <li class="part" data-part={partName({ attempt, delivery })}>
      <h3>
        Attempt {attempt}
        {delivery > 1 ? `, delivery ${delivery}` : ''}
      </h3>
    </li>
  );
}

/** The link to a line is no stop of the tab key: there may be thousands. The search goes to lines by keyboard. */
function Line(line: LogLine) {
  const { at, stream, text, seq } = line;
  const id = lineId(line);
  return (
    <li id={id} class={stream} data-place={placeText(line)}>
      <a class="number" href={`#${id}`} tabindex={-1}>
        {seq}
      </a>
      <time datetime={at.toISOString()}>{at.toISOString().slice(11, 23)}</time>
      <span class="source">{MARKS[stream]}</span>
      <span class="text">
        <PrintedLine text={text} />
      </span>
    </li>
  );
}
