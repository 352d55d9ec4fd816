import type { RunnerKind } from '#src/domain/targets/runner-types.js';

/** Where a test's files come from. */
export const SOURCES = {
  folder: 'A folder on the worker',
  git: 'A Git repository',
  none: 'None',
} as const;
export type SourceChoice = keyof typeof SOURCES;

/** The source that a form asks for. @param text of its field */
export function sourceNamed(text: string, runner: RunnerKind): SourceChoice {
  if (Object.hasOwn(SOURCES, text)) return text as SourceChoice;
  return runner === 'command' ? 'folder' : 'none';
}
