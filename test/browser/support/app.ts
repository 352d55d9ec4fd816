import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TestPerson } from '#test/support/people.js';
import { startStack, type StackOptions, type TestStack } from '#test/support/stack.js';
import { browserFor } from './browser.js';
import { watchProblems, type Problems } from './problems.js';

/** The first start provides the servers and the browser, in ms. */
const START_MS = 600_000;

export interface Visitor extends BrowserContextOptions {
  /** The person who is signed in; absent: no one. */
  as?: Pick<TestPerson, 'sessionHeaders'>;
}

/** The whole system and a browser for the tests of a `describe`. */
export interface App {
  readonly stack: TestStack;
  readonly browser: Browser;
  /** A test that also fails on problems in a browser of its visits. */
  it(name: string, body: () => Promise<void>): void;
  /** A new browser context, until the end of the test. */
  visit(visitor?: Visitor): Promise<Visit>;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  problems: Problems;
}

/** Starts them before the tests of this `describe`, and stops them afterwards. */
export function useApp(options: StackOptions = {}): App {
  let running: { stack: TestStack; browser: Browser } | undefined;
  const visits: Visit[] = [];

  before(async function () {
    this.timeout(START_MS);
    const browser = await browserFor(this);
    try {
      running = { stack: await startStack(options), browser };
    } catch (error) {
      await browser.close();
      throw error;
    }
  });
  after(async function () {
    this.timeout(60_000);
    await running?.browser.close();
    await running?.stack.stop();
  });
  /** @returns the problems in them */
  async function endVisits(): Promise<string[]> {
    const ended = visits.splice(0);
    await Promise.all(ended.map(({ context }) => context.close()));
    return ended.flatMap(({ problems }) => problems.all);
  }

  return {
    get stack() {
      return running!.stack;
    },
    get browser() {
      return running!.browser;
    },
    it: (name, body) =>
      it(name, async () => {
        try {
          await body();
        } catch (error) {
          await endVisits();
          throw error;
        }
        expect(await endVisits()).to.deep.equal([]);
      }),
    async visit(visitor) {
      const visit = await openVisit(running!, visitor);
      visits.push(visit);
      return visit;
    },
  };
}

/** A new browser context with one page, and its problems. */
export async function openVisit(
  { stack, browser }: { stack: TestStack; browser: Browser },
  { as, ...options }: Visitor = {},
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: stack.baseUrl, reducedMotion: 'reduce', ...options });
  if (as) await context.addCookies([sessionCookie(as, stack.baseUrl)]);
  // esbuild wraps functions with this helper, also those that tests run in the page.
  await context.addInitScript('globalThis.__name ??= (named) => named');
  const problems = await watchProblems(context);
  return { context, problems, page: await context.newPage() };
}

function sessionCookie({ sessionHeaders }: Pick<TestPerson, 'sessionHeaders'>, url: string) {
  const [name, value] = sessionHeaders.cookie.split('=') as [string, string];
  return { name, value, url, httpOnly: true };
}
