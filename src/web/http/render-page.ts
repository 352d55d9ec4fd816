import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Parts of a page as HTML, for pages that are open already. */
export function renderFragment(fragment: VNode): string {
  return renderToString(fragment);
}

/** A whole page as HTML. Everything in it is escaped; only the documentation is HTML already. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
