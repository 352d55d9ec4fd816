import type { Page } from 'playwright-core';
import { finderOf, type ElementLocator } from '#src/domain/browser-test/locator.js';
import { quoted } from '#src/domain/browser-test/step-title.js';

const LOOK_MS = 1000;
/** A part of a large page is enough for a hint. */
const MAX_SNAPSHOT = 200_000;
const MAX_NAMES = 300;
const SHOWN = 4;

/** Roles of input fields. */
const FIELDS = /^(textbox|searchbox|combobox|listbox|checkbox|radio|spinbutton|slider|switch)$/;

/** Suggests elements similar to a missing one: `Similar: “Pay now”, “Play”.`, or nothing. Never rejects. */
export async function similarTo(page: Page, locator: ElementLocator): Promise<string> {
  const expected = expectedName(locator);
  const names = await availableNames(page, locator).catch(() => []);
  const distinct = [...new Set(names.map((name) => name.replace(/\s+/g, ' ').trim()))].filter((name) => name !== '');
  if (distinct.length === 0) return '';
  const ranked = distinct
    .slice(0, MAX_NAMES)
    .map((name) => ({ name, score: expected === undefined ? 0 : similarity(expected, name) }))
    .sort((a, b) => b.score - a.score);
  const close = ranked.filter(({ score }) => score > 0.3);
  const shown = (close.length > 0 ? close : ranked).slice(0, SHOWN).map(({ name }) => quoted(shortened(name)));
  if (close.length > 0) return ` Similar: ${shown.join(', ')}.`;
  // Dissimilar texts are too many to list.
  return finderOf(locator) === 'text' ? '' : ` Available: ${shown.join(', ')}${distinct.length > SHOWN ? ', …' : ''}.`;
}

function expectedName(locator: ElementLocator): string | undefined {
  const finder = finderOf(locator);
  return finder === 'role' ? locator.name : finder && locator[finder];
}

async function availableNames(page: Page, locator: ElementLocator): Promise<string[]> {
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

/** Elements of the accessibility tree. */
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

/** Similarity of two texts, from 0 to 1, by shared pairs of letters; at least 0.5 if one contains the other. */
function similarity(a: string, b: string): number {
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
