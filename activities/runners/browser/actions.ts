import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { finderOf, type ElementLocator } from '#src/domain/browser-test/locator.js';
import type { ActionKind, Actions, BrowserStep } from '#src/domain/browser-test/steps.js';
import { quoted } from '#src/domain/browser-test/step-title.js';
import { durationMs } from '#src/domain/project-file/duration.js';
import type { ActionContext } from './action-context.js';
import { urlToOpen } from './urls.js';
import { download } from './download.js';
import { expectThat } from './expectations.js';
import { explainAction, explainGoto, firstLine } from './explain.js';
import { locate } from './locate.js';
import { runInPage } from './run-in-page.js';
import { StepFailure } from './step-failure.js';
import { testFile } from './test-files.js';

/** Additional results of a step. */
export interface ActionResult {
  screenshot?: string | undefined;
}

/** Actions without inner steps. */
export type SimpleAction = Exclude<ActionKind, 'if' | 'group'>;
type Perform<Kind extends SimpleAction> = (
  given: Actions[Kind],
  context: ActionContext,
  step: BrowserStep,
) => Promise<ActionResult | void>;

/** Performs each kind of step, with variables already substituted. @throws StepFailure */
export const PERFORM: { [Kind in SimpleAction]: Perform<Kind> } = {
  async goto(url, { session, baseUrl, timeoutMs }) {
    const target = urlToOpen(url, baseUrl);
    const page = session.page();
    await page.goto(target, { timeout: timeoutMs }).catch(async (error: unknown) => {
      throw new StepFailure(explainGoto(error, target, timeoutMs, await session.failureAt(target)));
    });
  },
  click: onElement((element, timeout) => element.click({ timeout })),
  doubleClick: onElement((element, timeout) => element.dblclick({ timeout })),
  hover: onElement((element, timeout) => element.hover({ timeout })),
  check: onElement((element, timeout) => element.check({ timeout }), 'never'),
  uncheck: onElement((element, timeout) => element.uncheck({ timeout }), 'never'),
  fill: (given, context) =>
    onElement((element, timeout) => element.fill(given.value, { timeout }), 'never')(given, context),
  select: (given, context) =>
    onElement(async (element, timeout) => {
      await element.selectOption({ label: given.option }, { timeout });
    })(given, context),
  async press(given, context) {
    if (finderOf(given)) return onElement((element, timeout) => element.press(given.key, { timeout }))(given, context);
    await context.session
      .page()
      .keyboard.press(given.key)
      .catch((error: Error) => Promise.reject(new StepFailure(firstLine(error.message))));
  },
  async upload(given, context) {
    const path = await testFile(given.file, context.attempt);
    await onElement((element, timeout) => element.setInputFiles(path, { timeout }))(given, context);
  },
  async scroll(given, context) {
    if (finderOf(given))
      return onElement((element, timeout) => element.scrollIntoViewIfNeeded({ timeout }))(given, context);
    await context.session.page().evaluate(({ to, by }) => {
      if (to) window.scrollTo(0, to === 'top' ? 0 : document.documentElement.scrollHeight);
      else window.scrollBy(0, by ?? 0);
    }, given);
  },
  async waitFor({ time, ...given }, { session, baseUrl, timeoutMs }) {
    if (finderOf(given) || given.url !== undefined) await expectThat(session.page, given, { baseUrl, timeoutMs });
    if (time !== undefined) await sleep(durationMs(time));
  },
  expect: (given, { session, baseUrl, timeoutMs }) => expectThat(session.page, given, { baseUrl, timeoutMs }),
  async setVariable({ name, from, attribute, match }, context) {
    const found = from === 'url' ? context.session.page().url() : await readFrom(from, attribute, context);
    context.variables[name] = match === undefined ? found : await matched(found, match, context);
  },
  async screenshot(name, { takeScreenshot }) {
    const screenshot = await takeScreenshot(`screenshots/${name}.png`);
    if (screenshot === undefined) throw new StepFailure('the screenshot could not be taken or saved: see the log.');
    return { screenshot };
  },
  async dialog(how, { session }) {
    session.answerDialogs(how);
  },
  async run(script, context, { as }) {
    const result = await runInPage(context.session.page(), script);
    if (as !== undefined) context.variables[as] = result;
  },
  download: (given, context) =>
    download(given, context, () => onElement((element, timeout) => element.click({ timeout }))(given.click, context)),
};

/** Performs an action on one element and explains its failure. */
function onElement(act: (element: Locator, timeoutMs: number) => Promise<void>, isSelectBox?: 'never') {
  return async (given: ElementLocator, { session, timeoutMs }: Pick<ActionContext, 'session' | 'timeoutMs'>) => {
    const page = session.page();
    await act(locate(page, given, isSelectBox), timeoutMs).catch(async (error: unknown) => {
      throw new StepFailure(await explainAction(error, page, given));
    });
  };
}

async function readFrom(from: ElementLocator, attribute: string | undefined, context: ActionContext): Promise<string> {
  let found: string | null = null;
  await onElement(async (element, timeout) => {
    if (attribute === undefined) found = (await element.innerText({ timeout })).trim();
    else
      found =
        attribute === 'value'
          ? await element.inputValue({ timeout })
          : await element.getAttribute(attribute, { timeout });
  })(from, context);
  if (found === null) throw new StepFailure(`the element has no attribute ${attribute}.`);
  return found;
}

/** Runs in the page, so that a regular expression that never ends only blocks the page. */
async function matched(text: string, expression: string, { session }: ActionContext): Promise<string> {
  const found = await session.page().evaluate(
    ([text, expression]) => {
      try {
        const match = new RegExp(expression).exec(text);
        return match ? (match[1] ?? match[0]) : null;
      } catch (error) {
        return { wrong: (error as Error).message };
      }
    },
    [text, expression] as const,
  );
  if (found === null) throw new StepFailure(`${quoted(text.slice(0, 200))} does not match ${expression}.`);
  if (typeof found === 'object') throw new StepFailure(`match is not a regular expression: ${found.wrong}`);
  return found;
}
