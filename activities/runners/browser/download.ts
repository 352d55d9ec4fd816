import { open, stat } from 'node:fs/promises';
import pTimeout from 'p-timeout';
import type { Download } from 'playwright-core';
import type { Actions } from '#src/domain/browser-test/steps.js';
import { quoted } from '#src/domain/browser-test/step-title.js';
import type { ActionContext } from './action-context.js';
import { firstLine } from './explain.js';
import { StepFailure } from './step-failure.js';

const MAX_MIB = 100;

/**
 * Clicks, waits for the download that this starts, and saves it with the run.
 * @throws StepFailure, or the click's error
 */
export async function download(
  given: Actions['download'],
  { session, attempt, timeoutMs }: ActionContext,
  click: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const next = session.nextDownload();
  try {
    await click();
    const started = await before(deadline, next.download);
    if (!started) throw new StepFailure(`no download started within ${timeoutMs / 1000} s.`);
    await save(started, given, deadline, attempt);
  } finally {
    next.giveUp();
  }
}

async function save(
  started: Download,
  given: Actions['download'],
  deadline: number,
  { artifacts }: ActionContext['attempt'],
): Promise<void> {
  const suggested = started.suggestedFilename();
  try {
    const path = await before(
      deadline,
      started.path().catch((error: Error) => error),
    );
    if (path === undefined) throw new StepFailure(`the download of ${suggested} did not finish in time.`);
    if (path instanceof Error)
      throw new StepFailure(`the download of ${suggested} failed: ${firstLine(path.message)}.`);
    await check(path, given.contains);
    const file = await open(path);
    const name = `downloads/${given.as ?? suggested.replace(/[/\\]/g, '_')}`;
    await artifacts.add({ name, contentType: 'application/octet-stream', content: file.createReadStream() });
  } finally {
    // Cancels a download that is still in progress.
    await before(
      performance.now() + 1000,
      started.cancel().then(() => started.delete()),
    ).catch(() => {});
  }
}

async function check(path: string, contains: string | undefined): Promise<void> {
  if ((await stat(path)).size > MAX_MIB * 1024 * 1024)
    throw new StepFailure(`the downloaded file is larger than ${MAX_MIB} MiB.`);
  if (contains === undefined) return;
  const file = await open(path);
  try {
    const text = await file.readFile('utf8');
    if (!text.includes(contains))
      throw new StepFailure(
        `the downloaded file does not contain ${quoted(contains)}; it starts with ${quoted(text.slice(0, 200))}.`,
      );
  } finally {
    await file.close();
  }
}

/** @returns undefined if the deadline (in terms of performance.now()) passes first */
function before<T>(deadline: number, work: Promise<T>): Promise<T | undefined> {
  return pTimeout(work, { milliseconds: Math.max(1, deadline - performance.now()), message: false });
}
