import type { BrowserStep } from '#src/domain/browser-test/steps.js';
import { fillIn } from '#activities/fill-in.js';

/** Substitutes variables in all texts of a step, except in inner steps. @throws VariableMissingError */
export function fillInStep(step: BrowserStep, variables: Readonly<Record<string, string>>): BrowserStep {
  const { then, else: otherwise, ...own } = step;
  return {
    ...(fillInAll(own, variables) as BrowserStep),
    ...(then ? { then } : {}),
    ...(otherwise ? { else: otherwise } : {}),
  };
}

function fillInAll(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return fillIn(value, variables);
  if (Array.isArray(value)) return value.map((item) => fillInAll(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillInAll(item, variables)]));
}

/** The step for display: inputs that may contain secrets keep their variables' names. */
export function shownStep(written: BrowserStep, filled: BrowserStep): BrowserStep {
  return {
    ...filled,
    ...(filled.fill ? { fill: { ...filled.fill, value: written.fill!.value } } : {}),
    ...(typeof written.dialog === 'object' ? { dialog: written.dialog } : {}),
    ...(written.run === undefined ? {} : { run: written.run }),
  };
}
