import { stripVTControlCharacters } from 'node:util';

/** A name or message on one line, without terminal control sequences. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
    .trim();
}

/** A log line for a terminal: colors are kept, other control sequences removed. */
export function terminalLine(text: string): string {
  return (
    text
      // Each piece between color codes.
      .split(/(\x1b\[[\d;]*m)/)
      .map((part, index) =>
        index % 2 === 1 ? part : stripVTControlCharacters(part).replace(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/g, ''),
      )
      .join('')
  );
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1 test`, `5 tests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `2026-08-02 10:15:30Z`; empty for null. */
export function formatMoment(iso: string | null | undefined): string {
  return iso ? `${iso.slice(0, 19).replace('T', ' ')}Z` : '';
}

/** Rows as aligned columns under headings; the last column is not padded. */
export function table(headings: string[], rows: string[][]): string {
  const all = [headings, ...rows.map((row) => row.map(oneLine))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
