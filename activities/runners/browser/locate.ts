import type { FrameLocator, Locator, Page } from 'playwright-core';
import { finderOf, type ElementLocator } from '#src/domain/browser-test/locator.js';

type Root = Page | FrameLocator | Locator;

/**
 * Locates an element with Playwright's strict, waiting locators.
 * @param isSelectBox `never` for actions on other fields: finding select boxes by label costs a check of every
 *   element's role
 */
export function locate(page: Page, locator: ElementLocator, isSelectBox?: 'never'): Locator {
  const frame = locator.frame ?? locator.within?.frame;
  const root = frame === undefined ? page : page.frameLocator(frame);
  return locateIn(locator.within ? locateIn(root, locator.within) : root, locator, isSelectBox);
}

function locateIn(root: Root, locator: ElementLocator, isSelectBox?: 'never'): Locator {
  const found = find(root, locator, isSelectBox);
  const { nth } = locator;
  return nth === undefined ? found : found.nth(nth > 0 ? nth - 1 : nth);
}

function find(root: Root, locator: ElementLocator, isSelectBox?: 'never'): Locator {
  const { role, name, label, text, placeholder, testId, css, exact } = locator;
  switch (finderOf(locator)) {
    case 'role':
      return root.getByRole(
        role as Parameters<Page['getByRole']>[0],
        name === undefined ? {} : { name, exact: exact ?? true },
      );
    case 'label':
      if (isSelectBox === 'never') return root.getByLabel(label!, { exact: exact ?? true });
      return byLabel(root, label!, exact ?? true);
    case 'placeholder':
      return root.getByPlaceholder(placeholder!, { exact: exact ?? true });
    case 'testId':
      return root.getByTestId(testId!);
    case 'css':
      return root.locator(`css=${css!}`);
    default:
      return root.getByText(text!, { exact: exact ?? false });
  }
}

/** Playwright includes the options of a select box in the text of its wrapping label; its accessible name does not. */
function byLabel(root: Root, label: string, exact: boolean): Locator {
  const found = root.getByLabel(label, { exact });
  if (!exact) return found;
  const boxes = (['combobox', 'listbox'] as const).map((role) => root.getByRole(role, { name: label, exact }));
  return boxes.reduce((all, box) => all.or(box), found);
}
