import { chromium, firefox, type Browser, type LaunchOptions } from 'playwright-core';
import { MIB } from '#src/lib/bytes.js';
import type { BrowserKind } from '#src/domain/browser-test/browser-test.js';
import { createLeftoverKiller } from '#activities/processes/leftovers.js';
import { memoryOf } from '#activities/processes/memory-of.js';
import { EXECUTION_MARK, membersOf, processesOf, WORKER_MARK } from '#activities/processes/proc-scan.js';
import type { Reaper } from '#activities/processes/reaper.js';
import { within } from '#src/lib/within.js';
import type { BrowserFolder } from './browser-folders.js';

const LAUNCH_MS = 30_000;
const CLOSE_MS = 2000;

/** One process of a browser with its children. */
export interface BrowserProcess {
  browser: Browser;
  /** It has exited or was closed. */
  hasEnded(): boolean;
  /** Memory of all its processes, in MiB; 0 if unknown. */
  memoryMiB(): number;
  /** Closes it. When this resolves, all its processes have exited. */
  close(): Promise<void>;
}

export interface LaunchDeps {
  /** Unique; set in the environment of every process, so that the reaper finds the processes of a dead worker. */
  workerId: string;
  reaper: Pick<Reaper, 'add' | 'remove'>;
}

/**
 * The only variables of the worker's environment that browsers receive; the environment holds the service's secrets.
 */
const ALLOWED =
  /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH|FONTCONFIG_\w+|XDG_\w+|DBUS_SESSION_BUS_ADDRESS)$/;

/** No traffic may bypass the proxy, and none may go to the browser's vendor. */
const CHROMIUM_ARGS = [
  '--disable-dev-shm-usage',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
];

/** The same for Firefox. */
const FIREFOX_PREFERENCES = {
  'media.peerconnection.ice.proxy_only': true,
  'media.peerconnection.ice.default_address_only': true,
  'network.dns.disablePrefetch': true,
  'network.prefetch-next': false,
  'browser.send_pings': false,
};

let launches = 0;

/** Starts a headless browser. @throws the launch's error */
export async function launchBrowser(
  kind: BrowserKind,
  executablePath: string,
  folder: BrowserFolder,
  { workerId, reaper }: LaunchDeps,
): Promise<BrowserProcess> {
  const id = `browser-${++launches}`;
  const leftovers = createLeftoverKiller(workerId);
  const startedAt = performance.now();
  const own = Object.entries(process.env).filter(([name, value]) => ALLOWED.test(name) && value !== undefined);
  const options: LaunchOptions = {
    executablePath,
    headless: true,
    timeout: LAUNCH_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: {
      ...(Object.fromEntries(own) as Record<string, string>),
      [WORKER_MARK]: workerId,
      [EXECUTION_MARK]: id,
    },
    // Undocumented option: the default is in the system's temporary folder and would remain if the worker is killed.
    ...({ artifactsDir: folder.path } as object),
    downloadsPath: folder.path,
    tracesDir: folder.path,
    // Chromium refuses its sandbox to root.
    ...(kind === 'chromium'
      ? { args: CHROMIUM_ARGS, chromiumSandbox: process.getuid?.() !== 0 }
      : { firefoxUserPrefs: FIREFOX_PREFERENCES }),
  };
  const browser = await { chromium, firefox }[kind].launch(options).catch(async (error: unknown) => {
    await leftovers.kill({ id, startedAt: -Infinity }, true);
    await folder.remove();
    throw error;
  });
  // The first process leads the process group; child processes overwrite their environment, including the marks.
  const pid = processesOf(workerId)
    .get(id)
    ?.find((one) => membersOf(one).length > 0);
  if (pid !== undefined) {
    reaper.add(pid);
    await folder.saveProfilePath(pid);
  }
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    // A browser that does not respond is killed below.
    await within(CLOSE_MS, 'Closing the browser', browser.close()).catch(() => {});
    await leftovers.kill({ id, pgid: pid, startedAt }, true);
    if (pid !== undefined) reaper.remove(pid);
    await folder.remove();
  }

  return {
    browser,
    hasEnded: () => closing !== undefined || !browser.isConnected(),
    memoryMiB: () => (pid === undefined ? 0 : memoryOf(membersOf(pid)) / MIB),
    close: () => (closing ??= close()),
  };
}
