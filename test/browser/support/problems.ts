import type { BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright-core';

/** Problems on the pages of a browser: console messages, script errors, failed requests, reports of the policy. */
export interface Problems {
  all: string[];
  /** From now on, these are expected, because a test breaks something on purpose. */
  expect(...patterns: RegExp[]): void;
}

const BINDING = 'reportPolicyViolation';

/** Watches every page of a context, including later ones. */
export async function watchProblems(context: BrowserContext): Promise<Problems> {
  const found: string[] = [];
  const expected: RegExp[] = [];
  const add = (problem: string) => void found.push(problem);
  await context.exposeBinding(BINDING, ({ page }, violation: string) => add(`policy: ${violation} on ${page.url()}`));
  await context.addInitScript((binding) => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        const report = (globalThis as unknown as Record<string, (text: string) => void>)[binding];
        report?.(`${violatedDirective} blocked ${blockedURI} (${sourceFile}:${lineNumber})`);
      },
    );
  }, BINDING);
  context.on('page', (page) => watch(page, add));
  return {
    get all() {
      return found.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
    },
    expect: (...patterns) => void expected.push(...patterns),
  };
}

function watch(page: Page, add: (problem: string) => void): void {
  page.on('console', (message) => isProblem(message) && add(`console: ${message.text()} on ${page.url()}`));
  page.on('pageerror', (error) => add(`script: ${error.stack ?? error.message} on ${page.url()}`));
  page.on('crash', () => add(`crash: ${page.url()}`));
  page.on('requestfailed', (request) => isLost(request) && add(`request: ${nameOf(request)} ${reasonOf(request)}`));
  page.on('response', (response) => isRefused(response) && add(`answer: ${response.status()} ${nameOf(response)}`));
}

const reasonOf = (request: Request) => request.failure()?.errorText ?? '';

/** Failed resources are reported by their response; the console repeats it without the name. */
function isProblem(message: ConsoleMessage): boolean {
  if (/^Failed to load resource/.test(message.text())) return false;
  return message.type() === 'error' || /content.security.policy|refused to/i.test(message.text());
}

/** A page that is closed cancels its requests, including streams. */
const isLost = (request: Request) => reasonOf(request) !== 'net::ERR_ABORTED';

const isRefused = (response: Response) => response.status() >= 400;

function nameOf(call: Request | Response): string {
  const request = 'request' in call ? call.request() : call;
  return `${request.method()} ${request.url()}`;
}
