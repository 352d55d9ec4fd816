import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { ZipFile } from 'yazl';
import { createArtifactSink } from '#activities/results/artifact-sink.js';
import { createArtifactUploads } from '#src/db/artifacts/artifact-uploads.js';
import { MIB } from '#src/lib/bytes.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { aTestRun } from '#test/builders/run.js';
import { browserFor } from '#test/browser/support/browser.js';
import { textLog } from '#test/fixtures/commands/support.js';
import { addPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';

const START_MS = 600_000;
const LIMITS = { fileBytes: 100 * MIB, runBytes: 100 * MIB, projectBytes: 1000 * MIB };

/** Tries everything that must be blocked, and writes the results. */
const HOSTILE = `<!doctype html><html lang="en"><head><title>Report</title><script src="data/sibling.js"></script>
<link rel="stylesheet" href="data/style.css"></head><body><p id="done"></p><script type="module">
import { value } from './data/module.js';
const tried = { sibling: window.sibling, module: value, colour: getComputedStyle(document.body).color };
const attempt = async (name, work) => { try { tried[name] = String(await work()); } catch (error) { tried[name] = error.name; } };
await attempt('fetched', async () => (await fetch('data/some.json')).text());
await attempt('storage', () => { localStorage.theme = 'dark'; return localStorage.getItem('theme'); });
await attempt('cookie', () => document.cookie);
await attempt('origin', () => self.origin);
await attempt('api', async () => (await fetch('/api/v2/me/', { credentials: 'include' })).status);
await attempt('apiUnread', async () => (await fetch('/api/v2/me/', { credentials: 'include', mode: 'no-cors' })).type);
await attempt('otherFile', async () => (await fetch('../../secret.html')).text());
await attempt('parent', () => parent === self ? 'none' : parent.document.title);
if (parent !== self) await attempt('top', () => { top.location = 'about:blank#stolen'; return 'left'; });
await attempt('worker', async () => navigator.serviceWorker.register('data/sibling.js'));
const frame = document.createElement('iframe');
frame.src = '/account';
const loaded = new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 2000); });
document.body.append(frame);
await loaded;
await attempt('frame', () => frame.contentDocument === null ? 'closed' : frame.contentDocument.title);
document.title = 'Tried';
document.getElementById('done').textContent = JSON.stringify(tried);
</script></body></html>`;

describe('HTML report', () => {
  let real: RealServer;
  let browser: Browser;
  let base: string;
  before(async function () {
    this.timeout(START_MS);
    browser = await browserFor(this);
    real = await realServer();
    await real.server.start();
    base = real.server.info.uri;
  });
  after(async () => {
    await browser?.close();
    await real?.close();
  });

  let context: BrowserContext | undefined;
  afterEach(async () => {
    await context?.close();
    context = undefined;
  });

  async function runWith(files: Record<string, string>): Promise<TestRun> {
    const { collections } = real;
    const run = aTestRun({ status: 'failed', attempt: 1 });
    const project = { _id: run.projectId, name: 'Demo', slug: run.projectId, revision: 1, createdAt: new Date() };
    await collections.projects.insertOne(project);
    await collections.runs.insertOne(run);
    const place = { runId: run._id, projectId: run.projectId, attempt: 1, delivery: 1 };
    const uploads = createArtifactUploads(collections, LIMITS.projectBytes);
    const signal = new AbortController().signal;
    const { add } = createArtifactSink({ uploads, place, limits: LIMITS, log: textLog(), signal });
    const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
    for (const [name, content] of Object.entries(files)) {
      const contentType = types[name.split('.').at(-1)!] ?? 'application/json';
      expect(await add({ name, contentType, content: Buffer.from(content) })).to.be.true;
    }
    return run;
  }

  /** The run’s page as a signed-in viewer, and every request of the browser. */
  async function visit(run: TestRun): Promise<{ page: Page; cookies: () => Record<string, boolean> }> {
    const person = await addPerson(real.collections, { roles: { [run.projectId]: 'viewer' } });
    const [name, value] = person.sessionHeaders.cookie.split('=') as [string, string];
    context = await browser.newContext();
    await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Lax' }]);
    const sent: Record<string, boolean> = {};
    real.server.events.on('response', ({ path, headers }) => {
      sent[path.replace(/^\/reports\/[^/]*/, '')] = String(headers.cookie).includes(value);
    });
    const page = await context.newPage();
    await page.goto(`${base}/runs/${run._id}`);
    return { page, cookies: () => sent };
  }

  async function triedIn(frame: Pick<Frame, 'locator'>): Promise<Record<string, unknown>> {
    const done = frame.locator('#done:not(:empty)');
    return JSON.parse((await done.textContent({ timeout: 15_000 }))!);
  }

  const REPORT = {
    'report/index.html': HOSTILE,
    'report/data/sibling.js': 'window.sibling = "loaded"',
    'report/data/module.js': 'export const value = "imported"',
    'report/data/style.css': 'body { color: rgb(1, 2, 3) }',
    'report/data/some.json': '{"some":"json"}',
  };

  const expected = {
    sibling: 'loaded',
    module: 'imported',
    colour: 'rgb(1, 2, 3)',
    fetched: '{"some":"json"}',
    storage: 'dark',
    cookie: 'SecurityError',
    origin: 'null',
    api: 'TypeError',
    otherFile: 'The file does not exist, or the link has expired. Open the report from its run again.',
    frame: 'closed',
  };

  it('runs in a frame with its own files, without access to the app', async () => {
    const { page, cookies } = await visit(await runWith(REPORT));
    await page.getByRole('link', { name: 'Open report report/index.html' }).click();
    await page.waitForURL('**/report/**');
    const frame = page.frames().find((one) => one !== page.mainFrame())!;
    const tried = await triedIn(frame);
    expect(tried).to.include({ ...expected, parent: 'SecurityError', top: 'SecurityError' });
    expect(page.url()).to.include('/report/');
    expect(await page.title()).to.include('report/index.html of');
    // The app requests the report’s page with the session; the report’s own requests have none.
    expect(cookies()).to.include({
      '/report/data/sibling.js': false,
      '/report/data/some.json': false,
      '/report/data/module.js': false,
      '/api/v2/me': false,
    });
    expect(Object.entries(cookies()).filter(([, has]) => has).length).to.be.greaterThan(0);
  });

  it('is isolated in its own tab, too', async () => {
    const { page } = await visit(await runWith({ ...REPORT, 'secret.html': 'no report of this attempt' }));
    await page.getByRole('link', { name: 'Open report report/index.html' }).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open in a new tab' }).click(),
    ]);
    expect(await triedIn(tab)).to.include({ ...expected, parent: 'none' });
    expect(await tab.evaluate(() => [window.opener, self.origin])).to.deep.equal([null, 'null']);
  });

  it('of Playwright is displayed', async () => {
    const app = join(
      dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
      'lib/vite/htmlReport',
    );
    const zip = new ZipFile();
    const summary = {
      metadata: {},
      startTime: Date.now(),
      duration: 1000,
      files: [],
      projectNames: ['chromium'],
      stats: { total: 7, expected: 7, unexpected: 0, flaky: 0, skipped: 0, ok: true },
      errors: [],
      options: {},
      machines: [],
    };
    zip.addBuffer(Buffer.from(JSON.stringify(summary)), 'report.json');
    zip.end();
    const content = (await buffer(zip.outputStream as unknown as AsyncIterable<Buffer>)).toString('base64');
    const page = readFileSync(join(app, 'index.html'), 'utf8');
    // As written by its reporter: script and data are in the page.
    const report = page
      .replace(
        /<script.*?<\/script>/,
        () => `<script type="module">${readFileSync(join(app, 'report.js'), 'utf8')}</script>`,
      )
      .replace(/<link rel.*?>/, () => `<style>${readFileSync(join(app, 'report.css'), 'utf8')}</style>`)
      .concat(`<template id="playwrightReportBase64">data:application/zip;base64,${content}</template>`);
    const { page: run } = await visit(await runWith({ 'playwright-report/index.html': `\ufeff${report}` }));
    await run.getByRole('link', { name: 'Open report playwright-report/index.html' }).click();
    const frame = run.frameLocator('iframe.report');
    await frame.getByText('Passed').first().waitFor({ timeout: 15_000 });
    expect(await frame.locator('body').innerText()).to.match(/All\s*7/);
    expect(await frame.locator('html').evaluate(() => document.compatMode)).to.equal('CSS1Compat');
  });

  it('is not accessible without its link, with a modified one, or after its expiration', async () => {
    const run = await runWith(REPORT);
    const other = await runWith({ 'report/index.html': 'another run' });
    const { page } = await visit(run);
    await page.getByRole('link', { name: 'Open report report/index.html' }).click();
    const src = (await page.locator('iframe.report').getAttribute('src'))!;
    const [, , link, ...name] = src.split('/');
    const get = (path: string) => real.server.inject({ url: path });
    const opened = await get(src);
    expect(opened.statusCode).to.equal(200);
    expect(opened.headers['content-security-policy']).to.match(/^sandbox allow-scripts(?!.*allow-same-origin)/);
    const [runId, attempt, until, signed] = link!.split('.');
    const at = name.join('/');
    for (const changed of [
      `${other._id}.${attempt}.${until}.${signed}`,
      `${runId}.2.${until}.${signed}`,
      `${runId}.${attempt}.${Number(until) + 1}.${signed}`,
      `${runId}.${attempt}.${until}.${'A'.repeat(43)}`,
      'something',
    ])
      expect((await get(`/reports/${changed}/${at}`)).statusCode).to.equal(404);
    expect((await get(`/reports/${link}/%2e%2e/${at}`)).statusCode).to.equal(404);
    expect(real.logged.join()).not.to.include(signed);
  });
});
