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
import { isAllowedAddress } from './addresses.js';
import { watchPageEvents, type PageEvents } from './page-events.js';
import { AttemptBroken, StepFailure } from './step-failure.js';
import { storageStateOf } from './test-files.js';

/** A page that goes on without end is ended here. */
const MAX_DIALOGS = 100;
const MAX_PAGES = 20;
const MAX_DOWNLOADS = 50;
const CLOSE_MS = 3000;

export type DialogAnswer = 'accept' | 'dismiss' | { answer: string };

/** The pages of one attempt, in a browser profile of their own. */
export interface Session {
  context: BrowserContext;
  events: PageEvents;
  /** The window that steps act on: the newest one that is open. */
  page(): Page;
  /** How dialogs are answered from here on. */
  answerDialogs(how: DialogAnswer): void;
  /** The next download; none is kept but those that are waited for. */
  nextDownload(): { download: Promise<Download>; giveUp(): void };
  /** Rejects when the attempt cannot go on. */
  broken: Promise<never>;
  /** The system's code for why the last connection to an address failed, such as ECONNREFUSED. */
  failureAt(address: string): Promise<string | undefined>;
  /** @returns whether all of it is gone; never rejects */
  close(): Promise<boolean>;
}

/** The worker's proxy, through which all requests of the pages go. */
export interface SessionProxy extends Pick<Session, 'failureAt'> {
  /** http://… */
  server: string;
}

/**
 * Opens a profile as the test wants it.
 * @throws StepFailure for settings that cannot be used; VariableMissingError; the browser's errors
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
  // Whoever waits for a step sees it; between two steps nobody does.
  broken.catch(() => {});
  const endsWith = (errorMessage: string) => fail(new AttemptBroken({ status: 'failed', errorMessage }));

  function watch(page: Page): void {
    pages.push(page);
    if (++opened > MAX_PAGES) endsWith(`the page opened more than ${MAX_PAGES} windows or tabs.`);
    page.on('close', () => pages.splice(pages.indexOf(page), 1));
    page.on('download', (download) => void take(download));
    page.on('crash', () => {
      const errorMessage = 'the page crashed. The usual reason is that it needs more memory than the worker has.';
      fail(new AttemptBroken({ status: 'error', errorCode: 'KILLED', errorMessage }));
    });
    page.on('framenavigated', (frame) => {
      if (!isAllowedAddress(frame.url()))
        endsWith(`the page went to ${frame.url()}; only http and https URLs are allowed.`);
    });
  }

  async function take(download: Download): Promise<void> {
    if (++downloads > MAX_DOWNLOADS) endsWith(`the page started more than ${MAX_DOWNLOADS} downloads.`);
    const wanted = waiting.shift();
    if (wanted) return wanted(download);
    events.add(`Unexpected download: ${download.suggestedFilename()}`);
    await download.cancel().catch(() => {});
  }

  async function respond(dialog: Dialog): Promise<void> {
    if (++dialogs > MAX_DIALOGS)
      return endsWith(
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
      let wanted: (download: Download) => void = () => {};
      const download = new Promise<Download>((resolve) => waiting.push((wanted = resolve)));
      return { download, giveUp: () => void (waiting = waiting.filter((one) => one !== wanted)) };
    },
    broken,
    failureAt: proxy.failureAt,
    close: () => closeContext(context),
  };
}

/** A page in an endless loop is in the way of nothing but itself; one that the browser cannot end makes the browser unusable. */
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
  const { defaultBrowserType: _browser, ...asDevice } = emulated as typeof emulated & { defaultBrowserType?: string };
  const baseURL = definition.baseUrl === undefined ? undefined : fillIn(definition.baseUrl, attempt.variables);
  return {
    acceptDownloads: true,
    serviceWorkers: 'allow',
    ...asDevice,
    ...(viewport ? { viewport } : {}),
    ...(locale === undefined ? {} : { locale: locale.replace(/_/g, '-') }),
    ...(timezone === undefined ? {} : { timezoneId: timezone }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(storageState === undefined
      ? {}
      : { storageState: await storageStateOf(fillIn(storageState, attempt.variables), attempt) }),
  };
}
