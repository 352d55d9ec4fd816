import type { Page } from 'playwright-core';

/** Lists of hundreds have the same elements in each row. */
const MOST = 80;

const TABBABLE = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';

/**
 * Moves through a page with the Tab key.
 * @returns elements that cannot be reached, or do not show the focus, one per line
 */
export async function keyboardProblems(page: Page): Promise<string[]> {
  const count = await page.evaluate(listTabbable, { selector: TABBABLE, most: MOST });
  const seen = new Set<number>();
  const problems: string[] = [];
  // Scrollable elements are focusable too, so allow some more presses.
  for (let press = 0; press < count * 2 + 20 && seen.size < count; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(describeFocus);
    if (!focused) continue;
    if (!focused.isShown && !seen.has(focused.index)) problems.push(`no visible focus: ${focused.name}`);
    seen.add(focused.index);
  }
  const names = await page.evaluate(namesOfTabbable);
  return [...problems, ...names.filter((_, index) => !seen.has(index)).map((name) => `not reached: ${name}`)];
}

interface Tabbable {
  elements: Element[];
  /** The style of each element without the focus. */
  looks: string[];
}
type WithTabbable = { tabbable: Tabbable };

function listTabbable({ selector, most }: { selector: string; most: number }): number {
  const isTabbable = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [tabindex="-1"], input[type=radio]:not(:checked)') &&
    !element.closest('[inert]');
  // One may be focused from the beginning.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const area = document.querySelector('dialog[open]') ?? document.body;
  const elements = [...area.querySelectorAll(selector)].filter(isTabbable).slice(0, most);
  const looks = elements.map((element) => getComputedStyle(element).boxShadow);
  (globalThis as unknown as WithTabbable).tabbable = { elements, looks };
  return elements.length;
}

function describeFocus(): { index: number; name: string; isShown: boolean } | undefined {
  const { elements, looks } = (globalThis as unknown as WithTabbable).tabbable;
  const element = document.activeElement;
  const index = element ? elements.indexOf(element) : -1;
  if (!element || index < 0) return undefined;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  const { width, height, bottom, right } = element.getBoundingClientRect();
  const isVisible = width > 1 && height > 1 && bottom > 0 && right > 0;
  return {
    index,
    name: element.outerHTML.slice(0, 160),
    isShown: isVisible && (isOutlined || boxShadow !== looks[index]),
  };
}

function namesOfTabbable(): string[] {
  return (globalThis as unknown as WithTabbable).tabbable.elements.map((element) => element.outerHTML.slice(0, 160));
}
