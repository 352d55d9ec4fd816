import { targetIdOf } from './ids.js';
import { closestName } from './project-file-closest.js';
import type { YamlText } from './project-file-reader.js';
import type { WrittenProject } from './project-file-schema.js';

type Kind = 'test' | 'suite' | 'schedule';

/** Looking for a close name costs time: after so many unknown ones the reader has seen the pattern. */
const MAX_SUGGESTIONS = 50;

/** Ids by name of the entries that have a name; reports names and ids that are there twice. */
export function idsByName(
  kind: Kind,
  entries: readonly { id?: string; name?: string }[],
  projectId: string,
  { lineOf }: Pick<YamlText, 'lineOf'>,
  report: (line: number, message: string) => void,
): Map<string, string> {
  const ids = new Map<string, string>();
  const lineOfName = new Map<string, number>();
  const lineOfId = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (typeof entry?.name !== 'string') return;
    const { name, id = targetIdOf(projectId, kind, name) } = entry;
    const line = lineOf([`${kind}s`, index, 'name']);
    const namesake = lineOfName.get(name);
    const twin = lineOfId.get(id);
    if (namesake) report(line, `the ${kind} on line ${namesake} is named "${name}" too; give each its own name`);
    else if (twin) report(line, `the ${kind} on line ${twin} has the id ${id} too; give each its own id, or none`);
    else {
      ids.set(name, id);
      lineOfName.set(name, line);
      lineOfId.set(id, line);
    }
  });
  return ids;
}

/** Reports each schedule that starts no test or suite of the file. */
export function checkScheduleTargets(
  schedules: NonNullable<WrittenProject['schedules']>,
  ids: Record<'test' | 'suite', Map<string, string>>,
  { lineOf }: Pick<YamlText, 'lineOf'>,
  report: (line: number, message: string) => void,
): void {
  schedules.forEach((schedule, index) => {
    for (const kind of ['test', 'suite'] as const) {
      const name = schedule?.[kind];
      if (typeof name !== 'string' || ids[kind].has(name)) continue;
      const close = index < MAX_SUGGESTIONS ? closestName(name, ids[kind].keys()) : undefined;
      const hint = close === undefined ? `add it to ${kind}s, or take the schedule out` : `did you mean "${close}"?`;
      report(lineOf(['schedules', index, kind]), `there is no ${kind} named "${name}" in this file; ${hint}`);
    }
  });
}

/** Reports each suite entry that names no test of the file. */
export function checkSuiteTests(
  suites: WrittenProject['suites'],
  testIds: Map<string, string>,
  { lineOf }: Pick<YamlText, 'lineOf'>,
  report: (line: number, message: string) => void,
): void {
  let unknown = 0;
  suites.forEach((suite, suiteIndex) => {
    if (!Array.isArray(suite?.tests)) return;
    suite.tests.forEach((name, index) => {
      if (typeof name !== 'string' || testIds.has(name)) return;
      const close = ++unknown <= MAX_SUGGESTIONS ? closestName(name, testIds.keys()) : undefined;
      const hint = close === undefined ? 'add it to tests, or take it out of the suite' : `did you mean "${close}"?`;
      report(lineOf(['suites', suiteIndex, 'tests', index]), `there is no test named "${name}" in this file; ${hint}`);
    });
  });
}
