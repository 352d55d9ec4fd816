import type { Page } from 'playwright-core';

/** Elements that overflow the page to the right; none if everything fits. */
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
