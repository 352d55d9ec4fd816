import Joi from 'joi';
import { groupsUsedBy, MAX_STEPS, shownAs, stepDuration, steps, STEPS_MESSAGES, type BrowserStep } from './steps.js';
import { must, text, wholeNumber } from '#src/domain/targets/definition-fields.js';

export type { BrowserStep };

/* Definition of a browser test. */

export const BROWSERS = ['chromium', 'firefox'] as const;
export type BrowserKind = (typeof BROWSERS)[number];

/** When a file is kept. */
export type Keep = 'failure' | 'always' | 'never';

export interface BrowserSettings {
  /** Base of relative URLs in `goto`. */
  baseUrl?: string;
  steps: BrowserStep[];
  /** Steps by name, for the step `group`. */
  groups?: Record<string, BrowserStep[]>;
  /** Default: `chromium`. */
  browser?: BrowserKind;
  viewport?: { width: number; height: number };
  /** A Playwright device, such as `iPhone 15`: its viewport, user agent and touch. */
  device?: string;
  /** Such as `de-DE`. */
  locale?: string;
  /** Such as `Europe/Berlin`. */
  timezone?: string;
  /** Initial cookies and local storage: a file in the folder, or JSON (from a variable). */
  storageState?: string;
  /** Default: `failure`. */
  screenshots?: Keep;
  /** Playwright's trace. Default: `failure`. */
  trace?: Keep;
  /** Timeout of one step. Default: `10s`. */
  stepTimeout?: string;
}

const keep = Joi.valid('failure', 'always', 'never').messages(must('"failure", "always" or "never"'));

/** Maximum number of steps with groups expanded. */
const MAX_EXPANDED = 2000;

const groups = shownAs(
  Joi.object<Record<string, BrowserStep[]>>()
    .pattern(/^[^\u0000-\u001f\u007f]{1,100}$/, steps)
    .max(100)
    .messages({
      '*': '{{#label}} must be a map of up to 100 groups, each a name and a list of steps',
      ...STEPS_MESSAGES,
    }),
  {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'object', description: 'A step, as in `steps`.' } },
  },
);

/** The fields of a browser test; none has a default. */
export const browserFields = {
  steps: steps
    .custom((value: BrowserStep[], helpers) => {
      // A change (PATCH) has only some fields; the resulting test is validated as a whole.
      const test = helpers.state.ancestors[0] as Partial<BrowserSettings> & { runner?: string };
      const problem = test.runner === 'browser' ? problemOfGroups(value, test.groups ?? {}) : undefined;
      return problem ? helpers.error('steps.groups', { problem }) : value;
    })
    .messages(STEPS_MESSAGES),
  groups,
  browser: Joi.valid(...BROWSERS).messages(must('"chromium" or "firefox"')),
  viewport: Joi.object({
    width: wholeNumber(100, 8000).required(),
    height: wholeNumber(100, 8000).required(),
  }).messages({
    'object.base': '{{#label}} must be a map with the fields width and height, such as width: 1280 and height: 720',
  }),
  device: text().min(1).max(100).messages(must('the name of a Playwright device, such as "iPhone 15"')),
  locale: Joi.string()
    .pattern(/^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/)
    .messages(must('a language such as en-GB or de-DE')),
  timezone: Joi.string()
    .pattern(/^[A-Za-z][A-Za-z0-9_+/-]{1,60}$/)
    .custom((value: string, helpers) => (isTimeZone(value) ? value : helpers.error('any.invalid')))
    .messages(must('a time zone such as Europe/Berlin')),
  storageState: text()
    .min(1)
    .max(200_000)
    .messages(must('a file in the test’s folder, or a variable {{NAME}} that contains it as JSON')),
  screenshots: keep,
  trace: keep,
  stepTimeout: stepDuration,
};

/** Browsers and Node support the time zones of ICU. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** The problem with the groups that these steps use; completes `steps …`. */
function problemOfGroups(list: readonly BrowserStep[], groups: Record<string, unknown>): string | undefined {
  const known = (name: string) => (Array.isArray(groups[name]) ? (groups[name] as BrowserStep[]) : undefined);
  const sizes = new Map<string, number>();
  /** @returns the number of steps with groups expanded, or the problem */
  const sizeOf = (steps: readonly BrowserStep[], above: readonly string[]): number | string => {
    let size = steps.length;
    for (const name of groupsUsedBy(steps)) {
      const inner = Object.hasOwn(groups, name) ? known(name) : undefined;
      if (!inner) return `use the group “${name}”, which is not defined; add it to groups`;
      if (above.includes(name)) return `use the group “${name}” within itself`;
      const innerSize = sizes.get(name) ?? sizeOf(inner, [...above, name]);
      if (typeof innerSize === 'string') return innerSize;
      sizes.set(name, innerSize);
      size += innerSize;
    }
    return size;
  };
  const size = sizeOf(list, []);
  if (typeof size === 'string') return size;
  return size > MAX_EXPANDED
    ? `must not exceed ${MAX_EXPANDED} in total with groups expanded (${MAX_STEPS} without)`
    : undefined;
}
