import { finderOf, type ElementLocator } from './locator.js';
import { actionOf, type ActionKind, type BrowserStep, type Expectation } from './steps.js';

/* Steps in plain English. */

/** Common names of ARIA roles. */
const ROLE_WORDS: Record<string, string> = {
  textbox: 'text field',
  combobox: 'select box',
  listbox: 'list',
  searchbox: 'search field',
  spinbutton: 'number field',
  listitem: 'list item',
  img: 'image',
  menuitem: 'menu item',
  tabpanel: 'tab panel',
  progressbar: 'progress bar',
};

export const quoted = (text: string) => `“${text}”`;

export const roleWords = (role: string) => ROLE_WORDS[role] ?? role;

/** `the button “Pay” in the dialog “Cart”`. */
export function elementWords(locator: ElementLocator): string {
  const { nth, within, frame } = locator;
  const which = nth === undefined ? '' : nth === -1 ? ' (the last one)' : ` (number ${nth})`;
  const inside = within ? ` in ${elementWords(within)}` : '';
  return `${finderWords(locator)}${which}${inside}${frame ? ` in the frame ${frame}` : ''}`;
}

function finderWords(locator: ElementLocator): string {
  switch (finderOf(locator)) {
    case 'role':
      return `the ${roleWords(locator.role!)}${locator.name === undefined ? '' : ` ${quoted(locator.name)}`}`;
    case 'label':
      return `the field ${quoted(locator.label!)}`;
    case 'placeholder':
      return `the field with the placeholder ${quoted(locator.placeholder!)}`;
    case 'testId':
      return `the element with the test ID ${quoted(locator.testId!)}`;
    case 'css':
      return `the element ${locator.css!}`;
    case 'text':
      return `the text ${quoted(locator.text!)}`;
    case undefined:
      return 'the page';
  }
}

/** Completes “expect that …” or “if …”: `the text “Thank you” is visible`. */
export function expectationWords(expectation: Expectation): string {
  const { hidden, text, value, checked, enabled, count, attribute, url } = expectation;
  const found = finderOf(expectation);
  const conditions = [
    ...(url === undefined ? [] : [`the URL is ${url}`]),
    ...(found && hidden ? ['is hidden'] : []),
    ...(found && found !== 'text' && text !== undefined ? [`has the text ${quoted(text)}`] : []),
    ...(value === undefined ? [] : [`has the value ${quoted(value)}`]),
    ...(checked === undefined ? [] : [checked ? 'is checked' : 'is not checked']),
    ...(enabled === undefined ? [] : [enabled ? 'is enabled' : 'is disabled']),
    ...(count === undefined ? [] : [`appears ${count === 1 ? 'once' : `${count} times`}`]),
    ...(attribute ? [attributeWords(attribute)] : []),
  ];
  if (!found) return conditions.join(' and ');
  const [first, ...rest] = url === undefined ? conditions : conditions.slice(1);
  const ofElement = [first ?? 'is visible', ...rest].join(' and ');
  return `${elementWords(expectation)} ${ofElement}${url === undefined ? '' : ` and the URL is ${url}`}`;
}

function attributeWords({ name, value }: { name: string; value?: string }): string {
  return value === undefined ? `has the attribute ${name}` : `has the attribute ${name} set to ${quoted(value)}`;
}

/** The step's own name, or words such as `click the button “Pay”`. */
export function stepTitle(step: BrowserStep): string {
  return step.name ?? WORDS[actionOf(step)](step);
}

const longText = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const WORDS: Record<ActionKind, (step: BrowserStep) => string> = {
  goto: ({ goto }) => `open ${goto}`,
  click: ({ click }) => `click ${elementWords(click!)}`,
  doubleClick: ({ doubleClick }) => `double-click ${elementWords(doubleClick!)}`,
  hover: ({ hover }) => `hover over ${elementWords(hover!)}`,
  fill: ({ fill }) =>
    fill!.value === ''
      ? `clear ${elementWords(fill!)}`
      : `fill ${elementWords(fill!)} with ${quoted(longText(fill!.value))}`,
  press: ({ press }) => `press ${press!.key}${finderOf(press!) ? ` in ${elementWords(press!)}` : ''}`,
  select: ({ select }) => `select ${quoted(select!.option)} in ${elementWords(select!)}`,
  check: ({ check }) => `check ${elementWords(check!)}`,
  uncheck: ({ uncheck }) => `uncheck ${elementWords(uncheck!)}`,
  upload: ({ upload }) => `upload ${upload!.file} in ${elementWords(upload!)}`,
  scroll: ({ scroll }) => scrollWords(scroll!),
  waitFor: ({ waitFor }) => waitWords(waitFor!),
  expect: ({ expect }) => `expect that ${expectationWords(expect!)}`,
  setVariable: ({ setVariable }) => {
    const { name, from, attribute } = setVariable!;
    if (from === 'url') return `store the URL as ${name}`;
    return `store ${attribute === undefined ? 'the text' : `the attribute ${attribute}`} of ${elementWords(from)} as ${name}`;
  },
  screenshot: ({ screenshot }) => `take the screenshot ${quoted(screenshot!)}`,
  download: ({ download }) => `download by clicking ${elementWords(download!.click)}`,
  dialog: ({ dialog }) =>
    typeof dialog === 'object'
      ? `answer dialogs with ${quoted(dialog.answer)}`
      : `${dialog === 'accept' ? 'accept' : 'dismiss'} dialogs from now on`,
  run: ({ run }) => `run ${longText(run!.trim().split('\n')[0]!)}`,
  if: (step) => `if ${expectationWords(step.if!)}`,
  group: ({ group }) => `group ${quoted(group!)}`,
};

function scrollWords({ to, by, ...locator }: NonNullable<BrowserStep['scroll']>): string {
  if (finderOf(locator)) return `scroll to ${elementWords(locator)}`;
  if (to) return `scroll to the ${to}`;
  return `scroll ${by! < 0 ? 'up' : 'down'} by ${Math.abs(by!)} pixels`;
}

function waitWords({ hidden, url, time, ...locator }: NonNullable<BrowserStep['waitFor']>): string {
  const element = finderOf(locator) ? [`for ${elementWords(locator)}${hidden ? ' to disappear' : ''}`] : [];
  const all = [...element, ...(url ? [`for the URL ${url}`] : []), ...(time ? [time] : [])];
  return `wait ${all.join(' and ')}`;
}
