import type { BrowserContext, Request } from 'playwright-core';

/** Maximum number of lines per step. */
const MAX_LINES = 20;
const LONGEST_LINE = 500;

/** Console messages, errors and failed requests of pages. */
export interface PageEvents {
  /** Adds a line of Runhook's own. */
  add(line: string): void;
  /**
   * All lines since the last call. Failed requests are also listed separately, and so are those that started before the
   * last call: the previous step sent them.
   */
  take(): { lines: string[]; failedRequests: string[]; failedEarlier: string[] };
}

/** Collects console errors, uncaught errors and failed requests of all pages of a context. */
export function watchPageEvents(context: BrowserContext): PageEvents {
  let lines: string[] = [];
  let failedRequests: string[] = [];
  let failedEarlier: string[] = [];
  let since = Date.now();
  let more = 0;

  function addLine(line: string): void {
    if (lines.length < MAX_LINES) lines.push(truncate(line));
    else more++;
  }

  function addFailed(request: Request, line: string): void {
    const failed = request.timing().startTime < since ? failedEarlier : failedRequests;
    if (failed.length < MAX_LINES) failed.push(truncate(line));
    addLine(line);
  }

  context.on('console', (message) => {
    // Failed resources are reported below, with their status.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      addLine(`Console: ${message.text()}`);
  });
  context.on('weberror', (error) => addLine(`Error in the page: ${error.error().message}`));
  context.on('response', (response) => {
    if (response.status() >= 400)
      addFailed(response.request(), `${response.request().method()} ${response.url()} returned ${response.status()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // Navigating away cancels requests.
    if (!/ABORTED|NS_BINDING/.test(reason))
      addFailed(request, `${request.method()} ${request.url()} failed: ${reason}`);
  });

  return {
    add: addLine,
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

function truncate(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
