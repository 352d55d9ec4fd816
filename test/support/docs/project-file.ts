import { projectFileSchema } from '#src/domain/project-file/schema.js';
import type { RunnerKind } from '#src/domain/targets/runner-types.js';
import { FIELDS_OF_RUNNERS } from '#src/domain/targets/test-fields.js';
import { PROJECT_FILE_TEXTS, type FieldText } from './field-texts.js';
import { code, table, withChoices } from './markdown.js';

interface Described {
  flags?: { presence?: string; default?: unknown; only?: boolean };
  allow?: unknown[];
  keys?: Record<string, Described>;
  items?: Described[];
  whens?: { switch?: { then?: Described }[] }[];
}
type Section = keyof typeof PROJECT_FILE_TEXTS;

const root = projectFileSchema.describe() as Described;
const entry = (field: Described | undefined): Described => field!.items![0]!;
const test = entry(root.keys!.tests).keys!;
const request = entry(test.requests).keys!;
const ofRunner = (name: string, runners: RunnerKind[]) => runners.some((one) => FIELDS_OF_RUNNERS[one]!.includes(name));
const only = (fields: Record<string, Described>, keeps: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => keeps(name)));
const below = (name: string) =>
  Object.fromEntries(Object.entries(test[name]!.keys!).map(([key, field]) => [`${name}.${key}`, field]));

/** The fields of each table of the documentation, from the schema. */
const SECTIONS: Record<Section, Record<string, Described>> = {
  project: root.keys!,
  test: only(test, (name) => !ofRunner(name, ['browser', 'http'])),
  suite: entry(root.keys!.suites).keys!,
  schedule: entry(root.keys!.schedules).keys!,
  git: { ...below('git'), ...below('setup') },
  browser: only(test, (name) => ofRunner(name, ['browser'])),
  http: only(test, (name) => ofRunner(name, ['http'])),
  request,
  expectation: request.expect!.keys!,
};

/** The fields of one part of a project file. */
export function fieldsTable(section: Section): string {
  const rows = Object.entries(SECTIONS[section]).map(([name, field]) => {
    const text: FieldText | undefined = PROJECT_FILE_TEXTS[section][name];
    return [code(name), withChoices(text?.text ?? '', field), unset(field, text)];
  });
  return table(['Field', 'Meaning', 'Default'], rows);
}

/** Fields without a text, and texts without a field. */
export function fieldsWithoutText(): string[] {
  return (Object.keys(SECTIONS) as Section[]).flatMap((section) => {
    const texts = PROJECT_FILE_TEXTS[section];
    const fields = SECTIONS[section];
    return [
      ...Object.keys(fields).filter((name) => !texts[name]),
      ...Object.keys(texts).filter((name) => !fields[name]),
    ].map((name) => `${section}: ${name}`);
  });
}

function unset({ flags, whens }: Described, text: FieldText | undefined): string {
  if (text?.unset !== undefined) return text.unset;
  const isNeeded = whens?.some((when) => when.switch?.some(({ then }) => then?.flags?.presence === 'required'));
  if (flags?.presence === 'required' || isNeeded) return 'required';
  const value = flags?.default;
  if (value === undefined || (typeof value === 'object' && Object.keys(value!).length === 0)) return 'none';
  return code(String(value));
}
