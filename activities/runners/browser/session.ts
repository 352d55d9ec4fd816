import pTimeout from 'p-timeout';
import {
  devices,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Dialog,
  type Download,
  type Page,
} from 'playwright-core';
import type { BrowserTest } from '#src/domain/targets/definitions.js';
import { fillIn } from '#activities/fill-in.js';
import type { Attempt } from '#activities/runners/runner.js';
import { isAllowedUrl } from './urls.js';
import { watchPageEvents, type PageEvents } from './page-events.js';
import { AttemptBroken, StepFailure } from './step-failure.js';
import { storageStateOf } from './test-files.js';

/** Limits for runaway pages. */
const MAX_DIALOGS = 100;
const MAX_PAGES = 20;
const MAX_DOWNLOADS = 50;
const CLOSE_MS = 3000;

export type DialogAnswer = 'accept' | 'dismiss' | { answer: string };

/** The pages of one attempt, in a browser context of their own. */
export interface Session {
  context: BrowserContext;
  events: PageEvents;
  /** The page that steps act on: the most recently opened one. */
  page(): Page;
  /** Sets how further dialogs are answered. */
  answerDialogs(how: DialogAnswer): void;
  /** Waits for the next download; unexpected downloads are canceled. */
  nextDownload(): { download: Promise<Download>; giveUp(): void };
  /** Rejects when the attempt cannot continue. */
  broken: Promise<never>;
  /** See GuardProxy. */
  failureAt(address: string): Promise<string | undefined>;
  /** @returns whether the context was closed in time; never rejects */
  close(): Promise<boolean>;
}

/** The worker's proxy for all requests of the pages. */
export interface SessionProxy extends Pick<Session, 'failureAt'> {
  /** http://… */
  server: string;
}

/**
 * Opens a browser context with the settings of the test.
 * @throws StepFailure for invalid settings; VariableMissingError; the browser's errors
 */
export async function openSession(
  browser: Browser,
  definition: BrowserTest,
  attempt: Attempt,
  proxy: SessionProxy,
): Promise<Session> {
  const context = await browser.newContext({
    ...(await contextOptions(definition, attempt)),
    proxy: { server: proxy.server, bypass: '<-loopback>' },
  });
  const events = watchPageEvents(context);
  const pages: Page[] = [];
  let waiting: ((download: Download) => void)[] = [];
  let answer: DialogAnswer = 'dismiss';
  let dialogs = 0;
  let opened = 0;
  let downloads = 0;
  let fail: (error: AttemptBroken) => void = () => {};
  const broken = new Promise<never>((_, reject) => (fail = reject));
  // Prevents an unhandled rejection between two steps.
  broken.catch(() => {});
  const breakOff = (errorMessage: string) => fail(new AttemptBroken({ status: 'failed', errorMessage }));

  function watch(page: Page): void {
    pages.push(page);
    if (++opened > MAX_PAGES) breakOff(`the page opened more than ${MAX_PAGES} windows or tabs.`);
    page.on('close', () => pages.splice(pages.indexOf(page), 1));
    page.on('download', (download) => void take(download));
    page.on('crash', () => {
      const errorMessage = 'the page crashed. The usual reason is that it needs more memory than the worker has.';
      fail(new AttemptBroken({ status: 'error', errorCode: 'KILLED', errorMessage }));
    });
    page.on('framenavigated', (frame) => {
      if (!isAllowedUrl(frame.url()))
        breakOff(`the page went to ${frame.url()}; only http and https URLs are allowed.`);
    });
  }

  async function take(download: Download): Promise<void> {
    if (++downloads > MAX_DOWNLOADS) breakOff(`the page started more than ${MAX_DOWNLOADS} downloads.`);
    const receive = waiting.shift();
    if (receive) return receive(download);
    events.add(`Unexpected download: ${download.suggestedFilename()}`);
    await download.cancel().catch(() => {});
  }

  async function respond(dialog: Dialog): Promise<void> {
    if (++dialogs > MAX_DIALOGS)
      return breakOff(
        `the page opened more than ${MAX_DIALOGS} dialogs, the last one “${dialog.message().slice(0, 200)}”.`,
      );
    const how = answer === 'dismiss' ? 'dismissed' : 'accepted';
    if (dialog.type() !== 'beforeunload') events.add(`Dialog ${how}: ${dialog.message()}`);
    await (
      answer === 'dismiss' ? dialog.dismiss() : dialog.accept(typeof answer === 'object' ? answer.answer : undefined)
    ).catch(() => {});
  }

  context.on('page', watch);
  context.on('dialog', (dialog) => void respond(dialog));
  await context.newPage();

  return {
    context,
    events,
    page() {
      const page = pages.at(-1);
      if (!page) throw new StepFailure('the page was closed.');
      return page;
    },
    answerDialogs: (how) => void (answer = how),
    nextDownload() {
      let receive: (download: Download) => void = () => {};
      const download = new Promise<Download>((resolve) => waiting.push((receive = resolve)));
      return { download, giveUp: () => void (waiting = waiting.filter((other) => other !== receive)) };
    },
    broken,
    failureAt: proxy.failureAt,
    close: () => closeContext(context),
  };
}

/** Closing works even if a page is in an endless loop. If it fails, the browser must not be reused. */
function closeContext(context: BrowserContext): Promise<boolean> {
  const closed = context.close().then(
    () => true,
    () => false,
  );
  return pTimeout(closed, { milliseconds: CLOSE_MS, fallback: () => false });
}

async function contextOptions(definition: BrowserTest, attempt: Attempt): Promise<BrowserContextOptions> {
  const { device, viewport, locale, timezone, storageState } = definition;
  const emulated = device === undefined ? {} : devices[device];
  if (!emulated)
    throw new StepFailure(`Unknown device “${device}”. Playwright knows “iPhone 15”, “Pixel 7” and others.`);
  const { defaultBrowserType: _browser, ...deviceOptions } = emulated as typeof emulated & {
    defaultBrowserType?: string;
  };
  const baseURL = definition.baseUrl === undefined ? undefined : fillIn(definition.baseUrl, attempt.variables);
  return {
    acceptDownloads: true,
    serviceWorkers: 'allow',
    ...deviceOptions,
    ...(viewport ? { viewport } : {}),
    ...(locale === undefined ? {} : { locale: locale.replace(/_/g, '-') }),
    ...(timezone === undefined ? {} : { timezoneId: timezone }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(storageState === undefined
      ? {}
      : { storageState: await storageStateOf(fillIn(storageState, attempt.variables), attempt) }),
  };
}
