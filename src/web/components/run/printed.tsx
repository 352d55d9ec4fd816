import { styledText } from '#src/web/texts/ansi.js';

const LONGEST_LINE = 20_000;

/** A line that a program printed, in its colours. */
export function PrintedLine({ text }: { text: string }) {
  const more = text.length - LONGEST_LINE;
  const parts = styledText((more > 0 ? text.slice(0, LONGEST_LINE) : text).replace(/[\r\n]+$/, ''));
  return (
    <>
      {parts.map(({ text, classes }) => (classes.length === 0 ? text : <span class={classes.join(' ')}>{text}</span>))}
      {more > 0 ? ` … (${more} more characters in this line)` : null}
    </>
  );
}

/** The same of several lines. */
export function PrintedText({ text }: { text: string }) {
  const lines = text.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, '').split(/\r?\n/);
  return (
    <pre class="printed" tabindex={0}>
      {lines.map((line, index) => (
        <>
          {index === 0 ? null : '\n'}
          <PrintedLine text={line} />
        </>
      ))}
    </pre>
  );
}
