import { expect } from 'chai';
import { wholeList } from '#src/domain/page.js';
import { isTerminal, RUN_STATUSES, statusCounts } from '#src/domain/runs/run-status.js';
import { SuiteRunPage, type SuiteRunPageProps } from '#src/web/suite-runs/suite-run/page.js';
import { renderPage } from '#src/web/http/render-page.js';
import { after, attempt, suiteRun, testRun } from '#test/builders/sample-runs.js';

const aProject = { id: 'p', name: 'Demo shop', may: () => true };

function pageProps(some: Partial<SuiteRunPageProps>): SuiteRunPageProps {
  return {
    page: {
      viewer: { email: 'ada@example.test', isAdmin: false, csrfToken: 'csrf' },
      path: '/runs/1',
      isDialog: false,
    },
    project: aProject,
    run: counted(),
    tests: wholeList([]),
    filter: {},
    now: after(2),
    ...some,
  };
}

const html = (some: Partial<SuiteRunPageProps>) => renderPage(SuiteRunPage(pageProps(some)));
const text = (some: Partial<SuiteRunPageProps>) =>
  html(some)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const counted = (some: Parameters<typeof suiteRun>[0] = {}, counts = {}) => ({
  ...suiteRun(some),
  counts: statusCounts(counts),
});

describe('page of a suite run, rendered', () => {
  for (const status of RUN_STATUSES)
    it(`shows that a run is ${status}, and listens only until it ends`, () => {
      const page = html({ run: counted({ status }) });
      expect(page).to.match(new RegExp(`class="status ${status}">${status.replace('_', '-')}<`));
      expect(page.includes('hx-sse:connect')).to.equal(!isTerminal(status));
    });

  it('shows the remaining time, from earlier runs', () => {
    const run = counted({ startedAt: after(0) }, { passed: 1, queued: 1 });
    const now = after(60);
    expect(text({ run, now, usualMs: 90_000 })).to.include('About 30 s left: earlier runs took 1 min 30 s.');
    expect(text({ run, now, usualMs: 30_000 })).to.include('Longer than usual: earlier runs took 30 s.');
    expect(text({ run, now })).not.to.include('earlier runs');
    const over = counted({ startedAt: after(0), endedAt: after(20), status: 'passed' }, { passed: 2 });
    expect(text({ run: over, now, usualMs: 90_000 })).not.to.include('earlier runs');
  });

  it('shows the reason for the status of a test', () => {
    const failed = attempt({ verdict: { status: 'failed', exitCode: 3 } });
    const tests = [
      testRun({ position: 0, status: 'failed', attempts: [failed], reason: 'no runner until 12:00' }),
      testRun({ position: 1, status: 'skipped', reason: 'The suite stops on a failure' }),
      testRun({ position: 2, status: 'passed', attempts: [failed] }),
    ];
    const page = text({ run: counted({}, { failed: 1, skipped: 1, passed: 1 }), tests: wholeList(tests) });
    expect(page).to.include('failed – – Exit code 3 ').and.to.include('The suite stops on a failure');
    expect(page)
      .to.match(/passed – – –/)
      .and.not.to.include('no runner until');
  });

  it('offers only the actions that the viewer may use', () => {
    const page = html({ project: { ...aProject, may: (right) => right === 'runs.read' } });
    expect(page).not.to.include('Run again').and.not.to.include('Stop');
    expect(html({})).to.include('Run again').and.to.include('Stop');
  });

  it('links to the Temporal UI once there is a workflow', () => {
    const temporalUrl = 'http://ui.test/namespaces/default/workflows/1';
    const hasLink = (run: SuiteRunPageProps['run']) => html({ run, temporalUrl }).includes(`href="${temporalUrl}"`);
    expect(hasLink(counted())).to.equal(true);
    expect(hasLink(counted({ status: 'queued', dispatch: { after: after(0), attempts: 0 } }))).to.equal(false);
    expect(hasLink(counted({ status: 'skipped' }))).to.equal(false);
  });
});
