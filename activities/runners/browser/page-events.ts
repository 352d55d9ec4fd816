import type { BrowserContext, Request } from 'playwright-core';

/** Lines kept of one step. */
const MAX_LINES = 20;
const LONGEST_LINE = 500;

/** What pages said and could not load since the last look. */
export interface PageEvents {
  /** A note of our own. */
  add(line: string): void;
  /**
   * All lines since the last call; the requests that failed once more by themselves, those apart that began before the
   * last call: the step before sent them, however late their answers are.
   */
  take(): { lines: string[]; failedRequests: string[]; failedEarlier: string[] };
}

/** Listens to all pages of a context: errors on the console, errors that nothing caught, requests that failed. */
export function watchPageEvents(context: BrowserContext): PageEvents {
  let lines: string[] = [];
  let failedRequests: string[] = [];
  let failedEarlier: string[] = [];
  let since = Date.now();
  let more = 0;

  function add(line: string): void {
    if (lines.length < MAX_LINES) lines.push(cut(line));
    else more++;
  }

  function addFailed(request: Request, line: string): void {
    const failed = request.timing().startTime < since ? failedEarlier : failedRequests;
    if (failed.length < MAX_LINES) failed.push(cut(line));
    add(line);
  }

  context.on('console', (message) => {
    // That a resource did not load is said below, with its answer.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      add(`Console: ${message.text()}`);
  });
  context.on('weberror', (error) => add(`Error in the page: ${error.error().message}`));
  context.on('response', (response) => {
    if (response.status() >= 400)
      addFailed(response.request(), `${response.request().method()} ${response.url()} returned ${response.status()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // A page that is left gives up what it was loading.
    if (!/ABORTED|NS_BINDING/.test(reason))
      addFailed(request, `${request.method()} ${request.url()} failed: ${reason}`);
  });

  return {
    add,
    take() {
      const taken = { lines: more > 0 ? [...lines, `… and ${more} more`] : lines, failedRequests, failedEarlier };
      lines = [];
      failedRequests = [];
      failedEarlier = [];
      since = Date.now();
      more = 0;
      return taken;
    },
  };
}

function cut(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
