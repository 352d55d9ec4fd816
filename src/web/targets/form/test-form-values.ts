import type { RunnerKind } from '#src/domain/targets/runner-types.js';

/** Where a test's files come from, in a person's words. */
export const SOURCES = {
  folder: 'A folder on the worker',
  git: 'A Git repository',
  none: 'None',
} as const;
export type SourceChoice = keyof typeof SOURCES;

/** What stands in the fields of a test's form. */
export interface TestFormValues {
  name: string;
  runner: RunnerKind;
  source: SourceChoice;
  /** One argument a line, each as it is; otherwise a command line. */
  commandIsLines: boolean;
  /** Of every field of its runner, by the path of its value in the definition. */
  texts: Record<string, string>;
}

/** What each part of the form is made from. */
export interface TestFieldsProps {
  values: TestFormValues;
  /** What is wrong with a field. */
  at(name: string): string | undefined;
}

/** What a field that may be empty shows: the text that stands in it, and what is wrong with it. @returns by the field's name */
export function optionalFields({ values: { texts }, at }: Pick<TestFieldsProps, 'values' | 'at'>) {
  return (name: string) => ({ name, value: texts[name], problem: at(name), required: false as const });
}
