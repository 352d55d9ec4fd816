import type { Page } from 'playwright-core';

/** What stands out of a page to the right, so that it could be moved sideways; nothing when all fits. */
export async function overflowing(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const isClipped = (element: Element): boolean => {
      for (let above = element.parentElement; above && above !== document.body; above = above.parentElement)
        if (getComputedStyle(above).overflowX !== 'visible') return true;
      return false;
    };
    const culprits = [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !isClipped(element))
      .map(
        (element) =>
          `${element.tagName.toLowerCase()}.${element.className} “${element.textContent.trim().slice(0, 40)}”`,
      );
    return [`${scrollWidth} px of ${clientWidth}`, ...culprits.slice(0, 5)];
  });
}
