import type { Browser } from 'playwright-core';
import { BROWSERS, type BrowserKind } from '#src/domain/browser-test/browser-test.js';
import { launchBrowser, type BrowserProcess, type LaunchDeps } from './browser-process.js';
import { createBrowserFolders } from './browser-folders.js';
import { findBrowser } from './find-browser.js';

/** When a browser is replaced, because of what leaks in it over time. */
export interface RecyclingRule {
  /** Contexts it has served. */
  contexts: number;
  /** Its age, in ms. */
  ageMs: number;
  /** Its memory while no context is open, in MiB. */
  memoryMiB: number;
  /** How long it stays without a context, in ms. */
  idleMs: number;
}

const RULE: RecyclingRule = { contexts: 500, ageMs: 60 * 60_000, memoryMiB: 1024, idleMs: 60_000 };
/** Measuring memory takes some milliseconds. */
const MEMORY_EVERY_CONTEXTS = 20;

/** A browser in which an attempt may open one context. */
export interface BrowserLease {
  browser: Browser;
  /** @param isClean the context is closed; otherwise the browser is not reused and ends after its last attempt */
  release(isClean: boolean): Promise<void>;
}

/** One process per kind of browser, shared by all attempts of the worker. */
export interface BrowserPool {
  /** @throws BrowserMissingError; the launch's error */
  acquire(kind: BrowserKind): Promise<BrowserLease>;
  /** Ends all browsers. */
  close(): Promise<void>;
}

export interface BrowserPoolOptions extends LaunchDeps {
  /** Absolute; the parent of the browsers' folders. */
  folder: string;
  /** Executables from the worker's settings. */
  executables?: Partial<Record<BrowserKind, string | undefined>>;
  rule?: Partial<RecyclingRule>;
}

interface Entry {
  process: BrowserProcess;
  startedAt: number;
  served: number;
  open: number;
  /** No further contexts may be opened in it. */
  retired: boolean;
  idle?: NodeJS.Timeout;
}

export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const rule = { ...RULE, ...options.rule };
  const folders = createBrowserFolders(options.folder);
  const current = new Map<BrowserKind, Promise<Entry>>();
  const living = new Set<Entry>();
  let closed = false;

  async function launch(kind: BrowserKind): Promise<Entry> {
    const { path } = findBrowser(kind, options.executables?.[kind], process.env);
    const launched = await launchBrowser(kind, path, await folders.create(), options);
    const entry = { process: launched, startedAt: performance.now(), served: 0, open: 0, retired: false };
    living.add(entry);
    launched.browser.on('disconnected', () => void end(entry));
    if (closed) await end(entry);
    return entry;
  }

  /** Retires an entry and ends its process. */
  async function end(entry: Entry): Promise<void> {
    entry.retired = true;
    clearTimeout(entry.idle);
    await entry.process.close();
    living.delete(entry);
  }

  const isWornOut = ({ served, startedAt, process }: Entry) =>
    process.hasEnded() || served >= rule.contexts || performance.now() - startedAt > rule.ageMs;

  /** Reserves a context in a browser. */
  async function reserve(kind: BrowserKind): Promise<Entry> {
    for (;;) {
      if (closed) throw new Error('The worker is shutting down');
      const promise = current.get(kind) ?? launch(kind);
      current.set(kind, promise);
      const entry = await promise.catch((error: unknown) => {
        if (current.get(kind) === promise) current.delete(kind);
        throw error;
      });
      if (!entry.retired && !isWornOut(entry)) {
        clearTimeout(entry.idle);
        entry.open++;
        entry.served++;
        return entry;
      }
      entry.retired = true;
      if (current.get(kind) === promise) current.delete(kind);
      if (entry.open === 0) void end(entry);
    }
  }

  async function release(entry: Entry, isClean: boolean): Promise<void> {
    entry.open--;
    if (!isClean) entry.retired = true;
    if (entry.open > 0) return;
    if (!entry.retired && entry.served % MEMORY_EVERY_CONTEXTS === 0)
      entry.retired = entry.process.memoryMiB() > rule.memoryMiB;
    if (entry.retired || isWornOut(entry)) return end(entry);
    entry.idle = setTimeout(() => void end(entry), rule.idleMs);
    entry.idle.unref();
  }

  return {
    async acquire(kind) {
      const entry = await reserve(kind);
      let released = false;
      return {
        browser: entry.process.browser,
        async release(isClean) {
          if (released) return;
          released = true;
          await release(entry, isClean);
        },
      };
    },
    async close() {
      closed = true;
      // A browser that is still launching ends itself.
      await Promise.allSettled(BROWSERS.flatMap((kind) => current.get(kind) ?? []));
      await Promise.all([...living].map(end));
    },
  };
}
