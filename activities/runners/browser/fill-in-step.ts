import type { BrowserStep } from '#src/domain/browser-test/steps.js';
import { fillIn } from '#activities/fill-in.js';

/** Puts variables in their places in all texts of a step, but not in the steps in it. @throws VariableMissingError */
export function fillInStep(step: BrowserStep, variables: Readonly<Record<string, string>>): BrowserStep {
  const { then, else: otherwise, ...own } = step;
  const filled = fillInAll(own, variables) as BrowserStep;
  return { ...filled, ...(then ? { then } : {}), ...(otherwise ? { else: otherwise } : {}) };
}

function fillInAll(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return fillIn(value, variables);
  if (Array.isArray(value)) return value.map((one) => fillInAll(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillInAll(one, variables)]));
}

/** As it is shown: what is typed from a variable is told by the variable's name. */
export function shownStep(written: BrowserStep, filled: BrowserStep): BrowserStep {
  return {
    ...filled,
    ...(filled.fill ? { fill: { ...filled.fill, value: written.fill!.value } } : {}),
    ...(typeof written.dialog === 'object' ? { dialog: written.dialog } : {}),
    ...(written.run === undefined ? {} : { run: written.run }),
  };
}
