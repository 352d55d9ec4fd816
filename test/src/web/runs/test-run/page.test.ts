import { expect } from 'chai';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { RunStep } from '#src/domain/runs/run-step.js';
import { isTerminal, RUN_STATUSES } from '#src/domain/runs/run-status.js';
import { TestRunPage, type TestRunPageProps } from '#src/web/runs/test-run/page.js';
import { renderPage } from '#src/web/http/render-page.js';
import { aTestDefinition } from '#test/builders/run.js';
import { after, attempt, logLine, testRun } from '#test/builders/sample-runs.js';

function pageProps(some: Partial<TestRunPageProps>): TestRunPageProps {
  return {
    page: {
      viewer: { email: 'ada@example.test', isAdmin: false, csrfToken: 'csrf' },
      path: '/runs/1',
      isDialog: false,
    },
    project: { id: 'p', name: 'Demo shop', may: () => true },
    run: testRun(),
    log: { lines: [], hasEarlier: false, hasLater: false },
    artifacts: [],
    steps: [],
    now: after(2),
    ...some,
  };
}

const html = (some: Partial<TestRunPageProps>) => renderPage(TestRunPage(pageProps(some)));
/** The text without tags. */
const text = (some: Partial<TestRunPageProps>) =>
  html(some)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const logOf = (...lines: ReturnType<typeof logLine>[]) => ({ lines, hasEarlier: false, hasLater: false });

const aBrowserTest = (): TestDefinition => ({
  runner: 'browser',
  steps: [{ goto: '/shop' }],
  env: {},
  timeoutMs: 60_000,
  retries: 0,
  pool: 'default',
});

const step = (some: Partial<RunStep> = {}): RunStep => ({
  _id: 'a',
  runId: 'run',
  attempt: 1,
  delivery: 1,
  number: 1,
  depth: 0,
  title: 'open /shop',
  status: 'passed',
  startedAt: after(1),
  durationMs: 12,
  ...some,
});

describe('page of a test run, rendered', () => {
  const HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>';

  it('escapes markup in names, messages, commands, files and log lines', () => {
    const run = testRun({
      targetName: HOSTILE,
      status: 'error',
      errorCode: 'INTERNAL',
      errorMessage: HOSTILE,
      attempts: [
        attempt({ worker: HOSTILE, verdict: { status: 'error', errorMessage: HOSTILE, errorCode: 'INTERNAL' } }),
      ],
    });
    run.definition = aTestDefinition({ command: [HOSTILE] });
    run.suiteRunId = 'a';
    const artifacts = [
      { id: '1', name: HOSTILE, size: 1, type: HOSTILE, isPicture: true, href: '/runs/1/artifacts/1' },
    ];
    const page = html({ run, suiteName: HOSTILE, log: logOf(logLine(HOSTILE)), artifacts });
    expect(page).not.to.match(/<script>|<img src=x/);
    expect(page.split('&lt;script>alert(').length - 1).to.be.at.least(9);
  });

  for (const status of RUN_STATUSES) {
    it(`shows that a run is ${status}, and listens only until it ends`, () => {
      const page = html({ run: testRun({ status }) });
      expect(page).to.match(new RegExp(`class="status ${status}">${status.replace('_', '-')}<`));
      expect(page.includes('hx-sse:connect')).to.equal(!isTerminal(status));
      expect(page.includes('Reload the page</a>')).to.equal(!isTerminal(status));
      expect(page.includes('/stop"')).to.equal(!isTerminal(status));
    });
  }

  it('shows who started a run, with which variable set, and its original run; not its variables', () => {
    const run = testRun({
      triggeredBy: { type: 'cli', name: 'ada@example.test' },
      profileName: 'Staging',
      rerun: { of: 'an-earlier-one' },
      variables: [{ key: 'A', value: 'value-of-a-variable', isSecret: false }],
    });
    expect(text({ run })).to.include('Command line, ada@example.test').and.to.include('Variable set Staging');
    expect(html({ run })).to.include('href="/runs/an-earlier-one"').and.not.to.include('value-of-a-variable');
  });

  it('groups the log by attempt and delivery and marks the streams', () => {
    const log = logOf(
      logLine('one', { seq: 1 }),
      logLine('two', { seq: 1, delivery: 2, stream: 'system' }),
      logLine('three', { seq: 1, attempt: 2, stream: 'stderr' }),
    );
    expect(text({ log })).to.match(
      /Attempt 1 1 [\d:.]+ out one Attempt 1, delivery 2 1 [\d:.]+ runhook two Attempt 2 1 [\d:.]+ err three/,
    );
    expect(html({ log })).to.include('id="L1"').and.to.include('id="L1.2.1"').and.to.include('id="L2.1.1"');
  });

  it('links to the parts of a long log that it does not show', () => {
    const links = /<p data-log-(\w+)="true">/g;
    const shown = (hasEarlier: boolean, hasLater: boolean) =>
      [...html({ log: { lines: [logLine('one')], hasEarlier, hasLater } }).matchAll(links)].map(([, name]) => name);
    expect(shown(false, false)).to.deep.equal([]);
    expect(shown(true, true)).to.deep.equal(['earlier', 'later']);
  });

  it('truncates a very long line, with a note', () => {
    const page = text({ log: logOf(logLine('x'.repeat(20_005))) });
    expect(page).to.match(/ x{20000} … \(5 more characters in this line\)/);
  });

  it('shows each attempt with its verdict, its times and a lost worker', () => {
    const run = testRun({
      status: 'passed',
      startedAt: after(1),
      endedAt: after(9),
      attempts: [
        attempt({ endedAt: after(4), verdict: { status: 'failed', exitCode: 3 } }),
        attempt({ number: 2, delivery: 2, startedAt: after(5), endedAt: after(9), verdict: { status: 'passed' } }),
      ],
    });
    const page = text({ run });
    expect(page).to.match(/Attempt 1 failed Exit code 3 Started 2026-08-02 12:00:01 UTC/);
    expect(page).to.match(/Attempt 2 passed The worker was lost; delivery 2/);
    expect(html({ run })).to.include('datetime="2026-08-02T12:00:09.000Z" title="2026-08-02T12:00:09.000Z"');
  });

  it('shows the failed step of a browser test, the reason and the screenshot', () => {
    const steps = [
      step({ number: 1, title: 'open /shop', status: 'passed' }),
      step({ number: 2, title: 'group “pay”', status: 'failed' }),
      step({
        number: 3,
        depth: 1,
        title: `click ${HOSTILE}`,
        status: 'failed',
        message: HOSTILE,
        details: [HOSTILE],
        screenshot: 's/3.png',
      }),
      step({ number: 4, title: 'the rest', status: 'skipped' }),
    ];
    const artifacts = [1, 2].map((attempt) => ({
      id: `of-${attempt}`,
      name: 's/3.png',
      attempt,
      size: 1,
      type: 'image/png',
      isPicture: true,
      href: `/runs/1/artifacts/of-${attempt}`,
    }));
    const verdict = {
      status: 'failed' as const,
      errorMessage: 'Step 3, click: There is no button.',
      notes: [HOSTILE],
      commit: 'c0ffee',
      limits: 'cgroup: 64 processes',
    };
    const run = testRun({
      status: 'failed',
      definition: aBrowserTest(),
      attempts: [attempt({ endedAt: after(4), verdict })],
    });
    const page = html({ run, steps, artifacts });
    expect(page).not.to.match(/<script>|<img src=x/);
    expect(page).to.include('<a href="#step-3">Go to the failed step</a>').and.to.include('id="step-3"');
    expect(page).to.include('src="/runs/1/artifacts/of-1" alt="The page after step 3"');
    expect(page).to.include('<details open>').and.to.include('class="numbered depth-1"');
    const seen = text({ run, steps, artifacts });
    expect(seen).to.match(/Step 3, click: There is no button\. .* 4 the rest skipped – /);
    expect(seen).to.include('Commit c0ffee').and.to.include('Effective limits cgroup: 64 processes');
    // First the verdict, the reason and the steps, then the log and the rest.
    const order = [
      'There is no button',
      'id="steps"',
      'id="artifacts"',
      'id="log"',
      'id="attempts"',
      'id="definition"',
    ];
    const places = order.map((part) => page.indexOf(part));
    expect(places).to.eql([...places].sort((a, b) => a - b));
    expect(places[0]).to.be.greaterThan(0);
  });

  it('links to the steps of each attempt if there are several', () => {
    const attempts = [attempt({ verdict: { status: 'failed' } }), attempt({ number: 2 })];
    const run = testRun({ status: 'running', definition: aBrowserTest(), attempts });
    const page = html({ run, steps: [step({ attempt: 1 })], attempt: 1 });
    expect(page).to.include('Steps of attempt 1').and.to.include(`href="/runs/${run._id}?attempt=2#steps"`);
    expect(page).to.include(`/runs/${run._id}/events?attempt=1"`);
  });

  it('updates the duration while it runs', () => {
    const run = testRun({ status: 'running', startedAt: after(1) });
    expect(html({ run })).to.include('<span data-since="2026-08-02T12:00:01.000Z">1.0 s</span>');
  });

  it('explains an error, with a remedy', () => {
    const page = text({ run: testRun({ status: 'error', errorCode: 'TEST_TIMEOUT', errorMessage: 'over 60 s' }) });
    expect(page).to.match(/exceeded its timeout.* TEST_TIMEOUT over 60 s .* increase its timeout/);
  });

  it('shows the command, but no values of variables', () => {
    const page = text({});
    expect(page).to.include(`node checkout.mjs --currency 'EUR and USD'`);
    expect(page).to.include('BASE').and.not.to.include('value-of-a-variable');
  });

  describe('of a queued run', () => {
    const dispatch = { after: after(0), attempts: 1 };

    it('waits for Temporal after a failed start, or without a successful start for a while', () => {
      const waiting = 'Waiting for Temporal since 2026-08-02 12:00:00 UTC';
      expect(text({ run: testRun({ dispatch }) })).to.include(waiting);
      expect(text({ run: testRun({ dispatch: { ...dispatch, attempts: 0 } }), now: after(6) })).to.include(waiting);
      expect(text({ run: testRun({ dispatch: { ...dispatch, attempts: 0 } }) })).not.to.include('Waiting for');
    });

    it('waits for a worker once its workflow has started', () => {
      expect(text({ run: testRun(), now: after(6) })).to.match(/Waiting for a worker since .* pool default/);
    });

    it('shows the reason, with a remedy', () => {
      const reason = 'no runner in pool gpu since 2026-08-02T12:00:00.000Z';
      const run = testRun({ reason });
      run.definition.pool = 'gpu';
      expect(text({ run })).to.include('Start a worker with RUNHOOK_POOLS=gpu ;').and.to.include('gpu since');
    });
  });

  it('links to the Temporal UI if there is a workflow', () => {
    const temporalUrl = 'http://ui.test/namespaces/default/workflows/1';
    const hasLink = (run: TestRunPageProps['run']) => html({ run, temporalUrl }).includes(`href="${temporalUrl}"`);
    expect(hasLink(testRun({ status: 'running' }))).to.equal(true);
    expect(hasLink(testRun({ dispatch: { after: after(0), attempts: 0 } }))).to.equal(false);
    expect(hasLink(testRun({ suiteRunId: 'x' }))).to.equal(false);
    expect(hasLink(testRun({ suiteRunId: 'x', status: 'skipped' }))).to.equal(false);
    expect(hasLink(testRun({ suiteRunId: 'x', status: 'passed' }))).to.equal(true);
  });

  it('links to the suite of the run', () => {
    const page = html({ run: testRun({ suiteRunId: 'suite-run' }), suiteName: 'Smoke' });
    expect(page).to.match(/<a href="\/runs\/suite-run">[^<]*Smoke<\/a>/);
  });
});
