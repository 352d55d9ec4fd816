import type { RunLog } from '#activities/runners/runner.js';

/** Limits per reason: names in a note, and lines in the log. */
const NAMED = 3;
const LOGGED = 20;
const NOTES = 10;

/** Files that were not saved, by reason: one line in the log per file, and one note per reason. */
export function createSkippedFiles(log: RunLog) {
  const byReason = new Map<string, { count: number; names: string[] }>();
  return {
    /** @param why completes "<name> was not saved: …" */
    async add(name: string, why: string): Promise<void> {
      const reason = byReason.get(why) ?? { count: 0, names: [] };
      byReason.set(why, reason);
      reason.count++;
      const shown = JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name).slice(1, -1);
      if (reason.names.length < NAMED) reason.names.push(shown);
      if (reason.count <= LOGGED) await log.write('system', `The file ${shown} was not saved: ${why}.\n`);
      if (reason.count === LOGGED + 1) await log.write('system', 'More files were not saved for the same reason.\n');
    },
    /** Notes for the verdict. */
    texts: (): string[] =>
      [...byReason]
        .slice(0, NOTES)
        .map(([why, { count, names }]) =>
          count === 1
            ? `The file ${names[0]} was not saved: ${why}.`
            : `${count} files were not saved: ${why}: ${names.join(', ')}${count > names.length ? `, and ${count - names.length} more` : ''}.`,
        ),
  };
}
