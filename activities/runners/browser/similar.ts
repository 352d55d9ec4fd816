import type { Page } from 'playwright-core';
import { finderOf, type ElementLocator } from '#src/domain/browser-test/locator.js';
import { quoted } from '#src/domain/browser-test/step-title.js';

const LOOK_MS = 1000;
/** Of a large page, a part is enough for a hint. */
const MAX_SNAPSHOT = 200_000;
const MAX_NAMES = 300;
const SHOWN = 4;

/** What has a name and takes input. */
const FIELDS = /^(textbox|searchbox|combobox|listbox|checkbox|radio|spinbutton|slider|switch)$/;

/** What the page has instead of an element that is not there: `Similar: “Pay now”, “Play”.`, or nothing. Never rejects. */
export async function similarTo(page: Page, locator: ElementLocator): Promise<string> {
  const wanted = wantedName(locator);
  const names = await namesLike(page, locator).catch(() => []);
  const distinct = [...new Set(names.map((name) => name.replace(/\s+/g, ' ').trim()))].filter((name) => name !== '');
  if (distinct.length === 0) return '';
  const ranked = distinct
    .slice(0, MAX_NAMES)
    .map((name) => ({ name, score: wanted === undefined ? 0 : likeness(wanted, name) }))
    .sort((a, b) => b.score - a.score);
  const close = ranked.filter(({ score }) => score > 0.3);
  const shown = (close.length > 0 ? close : ranked).slice(0, SHOWN).map(({ name }) => quoted(shortened(name)));
  if (close.length > 0) return ` Similar: ${shown.join(', ')}.`;
  // Of texts there are too many to list what has nothing in common.
  return finderOf(locator) === 'text' ? '' : ` Available: ${shown.join(', ')}${distinct.length > SHOWN ? ', …' : ''}.`;
}

function wantedName(locator: ElementLocator): string | undefined {
  const finder = finderOf(locator);
  return finder === 'role' ? locator.name : finder && locator[finder];
}

async function namesLike(page: Page, locator: ElementLocator): Promise<string[]> {
  switch (finderOf(locator)) {
    case 'role': {
      const all = await namedElements(page, locator);
      return all.filter(({ role }) => role === locator.role).map(({ name }) => name);
    }
    case 'label': {
      const all = await namedElements(page, locator);
      return all.filter(({ role }) => FIELDS.test(role)).map(({ name }) => name);
    }
    case 'placeholder':
      return attributes(page, 'placeholder');
    case 'testId':
      return attributes(page, 'data-testid');
    case 'text':
      return (await page.locator('body').innerText({ timeout: LOOK_MS })).slice(0, MAX_SNAPSHOT).split('\n');
    default:
      return [];
  }
}

/** As assistive technology sees the page. */
async function namedElements(page: Page, { frame }: ElementLocator): Promise<{ role: string; name: string }[]> {
  const root = frame === undefined ? page.locator('body') : page.frameLocator(frame).locator('body');
  const snapshot = (await root.ariaSnapshot({ timeout: LOOK_MS })).slice(0, MAX_SNAPSHOT);
  return [...snapshot.matchAll(/^\s*- '?([a-z]+) "((?:[^"\\]|\\.)*)"/gm)].map(([, role, name]) => ({
    role: role!,
    name: name!.replace(/\\(.)/g, '$1').replace(/''/g, "'"),
  }));
}

async function attributes(page: Page, name: string): Promise<string[]> {
  return page
    .locator(`css=[${name}]`)
    .evaluateAll(
      (elements, attribute) => elements.slice(0, 300).map((element) => element.getAttribute(attribute) ?? ''),
      name,
    );
}

function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}

/** How much two texts are alike, from 0 to 1: pairs of letters that they share; one inside of the other counts for more. */
function likeness(a: string, b: string): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  const dice = (2 * shared) / Math.max(1, pairs.size + others.size);
  return one.includes(other) || other.includes(one) ? Math.max(dice, 0.5) : dice;
}

function pairsOf(text: string): Set<string> {
  const padded = ` ${text} `;
  return new Set(Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2)));
}
