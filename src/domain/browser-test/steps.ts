import Joi from 'joi';
import { locatorWith, short, type ElementLocator } from './locator.js';
import { addressOrOther, INVALID_ADDRESS, must, text, wholeNumber } from '#src/domain/targets/definition-fields.js';
import { durationMs } from '#src/domain/project-file/duration.js';

/* The steps of a browser test. A duration is text with its unit, such as 5s. */

/** A condition of `expect` or `if`; by default the element must be visible. */
export interface Expectation extends ElementLocator {
  visible?: boolean;
  hidden?: boolean;
  value?: string;
  checked?: boolean;
  enabled?: boolean;
  count?: number;
  attribute?: { name: string; value?: string };
  url?: string;
}

export interface Actions {
  goto: string;
  click: ElementLocator;
  doubleClick: ElementLocator;
  hover: ElementLocator;
  fill: ElementLocator & { value: string };
  press: ElementLocator & { key: string };
  select: ElementLocator & { option: string };
  check: ElementLocator;
  uncheck: ElementLocator;
  upload: ElementLocator & { file: string };
  scroll: ElementLocator & { to?: 'top' | 'bottom'; by?: number };
  waitFor: ElementLocator & { hidden?: boolean; url?: string; time?: string };
  expect: Expectation;
  setVariable: { name: string; from: 'url' | ElementLocator; attribute?: string; match?: string };
  screenshot: string;
  download: { click: ElementLocator; as?: string; contains?: string };
  dialog: 'accept' | 'dismiss' | { answer: string };
  run: string;
  if: Expectation;
  group: string;
}
export type ActionKind = keyof Actions;

/** One step with one action. */
export type BrowserStep = Partial<Actions> & {
  /** Replaces the title derived from the action. */
  name?: string;
  timeout?: string;
  /** The test continues when it fails. */
  optional?: boolean;
  /** For `if`. */
  then?: BrowserStep[];
  else?: BrowserStep[];
  /** For `run`: the variable for the result. */
  as?: string;
};

export const MAX_STEPS = 500;
/** Levels of nested steps, including the top level. */
const MAX_DEPTH = 5;
const LONGEST_STEP_MS = 10 * 60_000;

export const stepDuration = Joi.string()
  .custom((value: string, helpers) => {
    const ms = durationMs(value);
    return ms !== undefined && ms > 0 && ms <= LONGEST_STEP_MS ? value : helpers.error('any.invalid');
  })
  .messages(must('a duration greater than 0 and up to 10m, with a unit: 500ms, 5s or 1m'));

const yesOrNo = Joi.boolean().messages(must('true or false'));
const always = Joi.boolean().valid(true).messages(must('true if it is set'));
const long = text().allow('').max(100_000).messages(must('a string of up to 100,000 characters'));
const variable = Joi.string()
  .pattern(/^(?!RUNHOOK_)[A-Za-z_][A-Za-z0-9_]{0,99}$/)
  .messages(
    must('a variable name: letters, digits and underscores, not starting with a digit, not starting with RUNHOOK_'),
  );
const fileName = Joi.string()
  .pattern(/^(?!\.)[^/\\\u0000-\u001f\u007f]{1,150}$/)
  .messages(must('a file name without / and \\'));
const address = () => short().messages(must('a URL such as /cart or https://shop.example/cart, with * as a wildcard'));

const element = (kind: ActionKind) => locatorWith(kind);
const attribute = Joi.object({ name: short().required(), value: long }).messages(
  must('a map with the fields name and value, such as name: href and value: /cart'),
);
const expectation = (kind: ActionKind) =>
  locatorWith<Expectation>(
    kind,
    {
      visible: always,
      hidden: always,
      value: long,
      checked: yesOrNo,
      enabled: yesOrNo,
      count: wholeNumber(0, 100_000),
      attribute,
      url: address(),
    },
    { textIsMore: true, optional: ['url'] },
  );

const actions: Record<ActionKind, Joi.Schema> = {
  goto: text()
    .trim()
    .min(1)
    .max(2000)
    .custom(addressOrOther)
    .messages({ ...must('a URL such as /shop or https://shop.example/'), ...INVALID_ADDRESS }),
  click: element('click'),
  doubleClick: element('doubleClick'),
  hover: element('hover'),
  fill: locatorWith('fill', { value: long.required() }),
  press: locatorWith(
    'press',
    { key: short().required().messages(must('a key such as Enter, Escape or Control+a')) },
    { optional: ['key'] },
  ),
  select: locatorWith('select', { option: short().required() }),
  check: element('check'),
  uncheck: element('uncheck'),
  upload: locatorWith('upload', {
    file: short().required().messages(must('a file in the test’s folder, such as files/cat.png')),
  }),
  scroll: locatorWith(
    'scroll',
    {
      to: Joi.valid('top', 'bottom').messages(must('"top" or "bottom"')),
      by: Joi.number()
        .integer()
        .min(-100_000)
        .max(100_000)
        .messages(must('a whole number of pixels, negative to scroll up')),
    },
    { optional: ['to', 'by'] },
  ),
  waitFor: locatorWith(
    'waitFor',
    { hidden: always, url: address(), time: stepDuration },
    { optional: ['url', 'time'] },
  ),
  expect: expectation('expect'),
  setVariable: Joi.object({
    name: variable.required(),
    from: Joi.alternatives(Joi.valid('url'), locatorWith('from')).match('any').required().messages({
      'alternatives.types': '{{#label}} must be "url" or identify an element of the page, such as testId: order',
    }),
    attribute: short(),
    match: short().messages(must('a regular expression whose first group is the value')),
  }).messages({
    'object.base': '{{#label}} must be a map with the fields name and from, such as name: ORDER and from: url',
  }),
  screenshot: fileName,
  download: Joi.object({ click: element('click').required(), as: fileName, contains: long }).messages({
    'object.base': '{{#label}} must be a map with the fields click, as, contains',
  }),
  dialog: Joi.alternatives(Joi.valid('accept', 'dismiss'), Joi.object({ answer: long.required() })).messages({
    '*': '{{#label}} must be "accept", "dismiss" or a map with the field answer, the text to enter',
  }),
  run: text().min(1).max(100_000).messages(must('JavaScript that runs in the page, such as "return document.title"')),
  if: expectation('if'),
  group: short().messages(must('the name of one of the test’s groups')),
};

export const ACTIONS = Object.keys(actions) as ActionKind[];

export function actionOf(step: BrowserStep): ActionKind {
  return ACTIONS.find((kind) => step[kind] !== undefined)!;
}

/** A schema with a short form in the API description, which describes steps in full only once, at `steps`. */
export function shownAs<T extends Joi.Schema>(base: T, shown: object): T {
  const own = Joi.extend({ type: 'shown', base, jsonSchema: () => shown } as Joi.Extension) as { shown(): T };
  return own.shown();
}

const listOf = (item: Joi.Schema) =>
  Joi.array()
    .items(item)
    .min(1)
    .max(MAX_STEPS)
    .messages(must(`a list of 1 to ${MAX_STEPS} steps`));
const nested = listOf(shownAs(Joi.link('#browserStep'), { type: 'object', description: 'A step, as in `steps`.' }));

const KINDS = ACTIONS.join(', ');

export const step = Joi.object<BrowserStep>({
  ...actions,
  then: nested,
  else: nested,
  as: variable,
  name: short(),
  timeout: stepDuration,
  optional: yesOrNo,
})
  .xor(...ACTIONS)
  .with('then', 'if')
  .with('else', 'if')
  .with('as', 'run')
  .with('if', 'then')
  .messages({
    'object.base': `{{#label}} must be a step: a map with one of ${KINDS}`,
    'object.missing': `{{#label}} must have an action, one of ${KINDS}`,
    'object.xor': '{{#label}} has more than one action ({{#present}}); use a separate step for each',
    'object.with': '{{#label}} has {{#main}} without {{#peer}}',
    'object.unknown': `{{#label}} is not an action; the actions are ${KINDS}, and each can have name, timeout and optional`,
  })
  .id('browserStep');

export const steps = listOf(step).custom((value: BrowserStep[], helpers) => {
  if (depthOf(value) > MAX_DEPTH) return helpers.error('steps.deep');
  return countOf(value) > MAX_STEPS ? helpers.error('steps.many') : value;
});

export const STEPS_MESSAGES = {
  'steps.deep': `{{#label}} nests steps more than ${MAX_DEPTH} levels deep; move inner steps to a group`,
  'steps.many': `{{#label}} has more than ${MAX_STEPS} steps, including those in then and else`,
  'steps.groups': '{{#label}} {{#problem}}',
};

function branchesOf(step: BrowserStep): BrowserStep[][] {
  return [step.then ?? [], step.else ?? []];
}

function countOf(list: readonly BrowserStep[]): number {
  return list.reduce((sum, step) => sum + 1 + branchesOf(step).reduce((all, branch) => all + countOf(branch), 0), 0);
}

function depthOf(list: readonly BrowserStep[]): number {
  return list.length === 0 ? 0 : 1 + Math.max(...list.flatMap((step) => branchesOf(step).map(depthOf)));
}

/** Names of the groups that a list of steps uses, one for each use. */
export function groupsUsedBy(list: readonly BrowserStep[]): string[] {
  return list.flatMap((step) => [
    ...(step.group === undefined ? [] : [step.group]),
    ...branchesOf(step).flatMap(groupsUsedBy),
  ]);
}
