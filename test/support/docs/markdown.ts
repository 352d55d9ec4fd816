/** A table in Markdown. A `|` in a cell is escaped. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** A formatted number: `10,000`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** The text of a field, with its possible values unless the text contains them. */
export function withChoices(text: string, { flags, allow }: { flags?: { only?: boolean }; allow?: unknown[] }): string {
  const choices = (allow ?? []).filter((value) => value !== null).map((value) => code(String(value)));
  const isClear = choices.every((choice) => text.includes(choice));
  return flags?.only && choices.length > 0 && !isClear ? `${text}. One of ${choices.join(', ')}` : text;
}
