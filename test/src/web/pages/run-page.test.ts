import { expect } from 'chai';
import { isTerminal, RUN_STATUSES, statusCounts } from '../../../../src/domain/run-status.js';
import { renderPage } from '../../../../src/web/render-page.js';
import { RunPage, type RunPageProps } from '../../../../src/web/pages/run-page.js';
import { after, attempt, logLine, pageProps, suiteRun, testRun } from '../../../builders/sample-runs.js';

const html = (some: Partial<RunPageProps>) => renderPage(RunPage(pageProps(some)));
/** What a person reads, tags away. */
const text = (some: Partial<RunPageProps>) =>
  html(some)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('run page', () => {
  const HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>';

  it('escapes markup in names, messages, commands and log lines', () => {
    const run = testRun({
      targetName: HOSTILE,
      status: 'error',
      errorCode: 'INTERNAL',
      errorMessage: HOSTILE,
      attempts: [
        attempt({ worker: HOSTILE, verdict: { status: 'error', errorMessage: HOSTILE, errorCode: 'INTERNAL' } }),
      ],
    });
    run.definition.command = [HOSTILE];
    run.suiteRunId = 'a';
    const page = html({ run, projectName: HOSTILE, suiteName: HOSTILE, log: [logLine(HOSTILE)] });
    expect(page).not.to.match(/<script>|<img src=x/);
    expect(page.split('&lt;script>alert(').length - 1).to.be.at.least(8);
  });

  it('strips terminal escapes and shows other control characters', () => {
    const page = text({
      log: [logLine('\u001b[31mred\u001b[0m \u001b]8;;http://x.test\u0007link\u001b]8;;\u0007 a\u0000b\r')],
    });
    expect(page).to.include('red link a␀b');
    expect(page).not.to.include('\u001b');
    expect(page).not.to.include('␍');
  });

  for (const status of RUN_STATUSES) {
    it(`says that a run is ${status}, and refreshes itself only until it is over`, () => {
      const page = html({ run: testRun({ status }) });
      expect(page).to.match(new RegExp(`class="status ${status}">${status.replace('_', '-')}<`));
      expect(page.includes('http-equiv="refresh" content="2"')).to.equal(!isTerminal(status));
      expect(page.includes('updates itself every 2 seconds')).to.equal(!isTerminal(status));
    });
  }

  it('says who started a run, with which profile, and what it repeats; not its variables', () => {
    const run = testRun({
      triggeredBy: { type: 'cli', name: 'ada@example.test' },
      profileName: 'Staging',
      rerun: { of: 'an-earlier-one' },
      variables: [{ key: 'A', value: 'value-of-a-variable', isSecret: false }],
    });
    expect(text({ run })).to.include('Command line, ada@example.test').and.to.include('Profile Staging');
    expect(html({ run })).to.include('href="/runs/an-earlier-one"').and.not.to.include('value-of-a-variable');
  });

  it('can be told not to refresh itself', () => {
    const page = html({ run: testRun({ status: 'running' }), isPaused: true });
    expect(page).not.to.include('http-equiv="refresh"');
    expect(page).to.include('Update it every 2 seconds');
  });

  it('groups the log by attempt and delivery and marks the streams', () => {
    const log = [
      logLine('one'),
      logLine('two', { delivery: 2, stream: 'system' }),
      logLine('three', { attempt: 2, stream: 'stderr' }),
    ];
    expect(text({ log })).to.match(
      /Attempt 1 [\d:.]+ out one Attempt 1, delivery 2 [\d:.]+ runhook two Attempt 2 [\d:.]+ err three/,
    );
  });

  it('says when the log is longer than shown', () => {
    expect(text({ log: [logLine('one')], logIsLonger: true })).to.match(/first 1 line of the log/);
    expect(text({ log: [logLine('one')] })).not.to.include('It is longer');
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
    expect(html({ run })).to.include(
      '<time data-moment="true" datetime="2026-08-02T12:00:09.000Z" title="2026-08-02T12:00:09.000Z">2026-08-02 12:00:09 UTC</time>',
    );
  });

  it('explains an error and says what to do', () => {
    const page = text({ run: testRun({ status: 'error', errorCode: 'TEST_TIMEOUT', errorMessage: 'over 60 s' }) });
    expect(page).to.match(/longer than its timeout .* TEST_TIMEOUT over 60 s .* raise “timeout”/);
  });

  it('shows the command but no values of variables', () => {
    const page = text({});
    expect(page).to.include(`node checkout.mjs --currency 'EUR and USD'`);
    expect(page).to.include('BASE').and.not.to.include('value-of-a-variable');
  });

  describe('a queued run', () => {
    const dispatch = { after: after(0), attempts: 1 };

    it('waits for the workflow engine when a start failed, or none succeeded for a while', () => {
      const waiting = 'Waiting for the workflow engine since 2026-08-02 12:00:00 UTC';
      expect(text({ run: testRun({ dispatch }) })).to.include(waiting);
      expect(text({ run: testRun({ dispatch: { ...dispatch, attempts: 0 } }), now: after(6) })).to.include(waiting);
      expect(text({ run: testRun({ dispatch: { ...dispatch, attempts: 0 } }) })).not.to.include('Waiting for');
    });

    it('waits for a worker once its workflow is started', () => {
      expect(text({ run: testRun(), now: after(6) })).to.match(/Waiting for a worker since .* pool default/);
    });
  });

  describe('a queued run with a reason', () => {
    const reason = 'no runner in pool gpu since 2026-08-02T12:00:00.000Z';

    it('says it, and what to do about it', () => {
      const run = testRun({ reason });
      run.definition.pool = 'gpu';
      expect(text({ run })).to.include(`Waiting: ${reason}. Start a worker with RUNHOOK_POOLS=gpu ;`);
      run.suiteRunId = 'suite-run';
      expect(text({ run })).to.include(reason);
    });

    it('of a suite says it as it is', () => {
      expect(text({ run: suiteRun({ status: 'queued', reason: 'an earlier run' }) })).to.include(
        'Waiting: an earlier run.',
      );
    });
  });

  it('says why a run was skipped', () => {
    const run = suiteRun({ status: 'skipped', reason: 'Skipped because an earlier run was not over' });
    expect(text({ run })).to.include('Skipped because an earlier run was not over.');
  });

  describe('the link to the Temporal UI', () => {
    const temporalUrl = 'http://ui.test/namespaces/default/workflows/1';
    const hasLink = (run: RunPageProps['run']) => html({ run, temporalUrl }).includes(`href="${temporalUrl}"`);

    it('is there for what has a workflow', () => {
      expect(hasLink(testRun({ status: 'running' }))).to.equal(true);
      expect(hasLink(testRun({ dispatch: { after: after(0), attempts: 0 } }))).to.equal(false);
      expect(hasLink(testRun({ suiteRunId: 'x' }))).to.equal(false);
      expect(hasLink(testRun({ suiteRunId: 'x', status: 'skipped' }))).to.equal(false);
      expect(hasLink(testRun({ suiteRunId: 'x', status: 'passed' }))).to.equal(true);
    });
  });

  describe('of a suite', () => {
    const row = (targetName: string, position: number, some: object = {}) => {
      const { _id, status, attempt } = testRun();
      return { _id, targetName, status, attempt, position, ...some };
    };

    it('lists its tests in order with status, attempts and a link, and counts them', () => {
      const testRuns = [
        row('Login', 0, { status: 'passed', attempt: 2, startedAt: after(1), endedAt: after(3) }),
        row('Search', 1),
      ];
      const props = { run: suiteRun(), testRuns, counts: statusCounts({ passed: 1, queued: 1 }) };
      expect(text(props)).to.match(/1 queued 1 passed .* Login passed 2 2.0 s Search queued – –/);
      expect(html(props)).to.include(`<a href="/runs/${testRuns[0]!._id}">Login</a>`);
    });

    it('says when there are more tests than shown', () => {
      const counts = statusCounts({ queued: 4000 });
      expect(text({ run: suiteRun(), testRuns: [row('Login', 0)], counts })).to.include('first 1 of 4000 tests');
    });

    it('is linked from its tests', () => {
      const page = html({ run: testRun({ suiteRunId: 'suite-run' }), suiteName: 'Smoke' });
      expect(page).to.match(/<a href="\/runs\/suite-run">[^<]*Smoke<\/a>/);
    });
  });
});
