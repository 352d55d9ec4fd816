import { TARGET_KINDS, type ProjectItemKind, type TargetKind } from '#src/domain/targets/target-kind.js';
import { closestName } from './closest.js';
import type { YamlText } from './reader.js';
import type { WrittenProject } from './schema.js';

/** Searching for similar names takes time, so only the first unknown names get a suggestion. */
const MAX_SUGGESTIONS = 50;

/** The names of the entries; reports duplicate names and ids. */
export function entryNames(
  kind: ProjectItemKind,
  entries: readonly { id?: string; name?: string }[],
  { lineOf }: Pick<YamlText, 'lineOf'>,
  report: (line: number, message: string) => void,
): Set<string> {
  const lineOfName = new Map<string, number>();
  const lineOfId = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (typeof entry?.name !== 'string') return;
    const { name, id } = entry;
    const line = lineOf([`${kind}s`, index, 'name']);
    const sameName = lineOfName.get(name);
    const twin = id === undefined ? undefined : lineOfId.get(id);
    if (sameName) report(line, `the ${kind} on line ${sameName} has the same name "${name}"; use unique names`);
    else if (twin) report(line, sameId(kind, twin, id!));
    else {
      lineOfName.set(name, line);
      if (id !== undefined) lineOfId.set(id, line);
    }
  });
  return new Set(lineOfName.keys());
}

export function sameId(kind: ProjectItemKind, line: number, id: string): string {
  return `the ${kind} on line ${line} has the same id ${id}; use unique ids, or remove them`;
}

/** Reports schedules whose test or suite is not in the file. */
export function checkScheduleTargets(
  schedules: NonNullable<WrittenProject['schedules']>,
  names: Record<TargetKind, ReadonlySet<string>>,
  { lineOf }: Pick<YamlText, 'lineOf'>,
  report: (line: number, message: string) => void,
): void {
  schedules.forEach((schedule, index) => {
    for (const kind of TARGET_KINDS) {
      const name = schedule?.[kind];
      if (typeof name !== 'string' || names[kind].has(name)) continue;
      const close = index < MAX_SUGGESTIONS ? closestName(name, names[kind]) : undefined;
      const hint = close === undefined ? `add it to ${kind}s, or remove the schedule` : `did you mean "${close}"?`;
      report(lineOf(['schedules', index, kind]), `no ${kind} in this file is named "${name}"; ${hint}`);
    }
  });
}

/** Reports suite entries whose test is not in the file. */
export function checkSuiteTests(
  suites: WrittenProject['suites'],
  testNames: ReadonlySet<string>,
  { lineOf }: Pick<YamlText, 'lineOf'>,
  report: (line: number, message: string) => void,
): void {
  let unknown = 0;
  suites.forEach((suite, suiteIndex) => {
    if (!Array.isArray(suite?.tests)) return;
    suite.tests.forEach((name, index) => {
      if (typeof name !== 'string' || testNames.has(name)) return;
      const close = ++unknown <= MAX_SUGGESTIONS ? closestName(name, testNames) : undefined;
      const hint = close === undefined ? 'add it to tests, or remove it from the suite' : `did you mean "${close}"?`;
      report(lineOf(['suites', suiteIndex, 'tests', index]), `no test in this file is named "${name}"; ${hint}`);
    });
  });
}
