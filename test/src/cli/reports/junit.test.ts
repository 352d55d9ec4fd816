import { expect } from 'chai';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { statusCounts } from '#src/domain/runs/run-status.js';
import type { CaseView, RunView, SuiteRunView, TestRunView } from '#src/cli/api/responses.js';
import { junitReport, type ReportedTest } from '#src/cli/reports/junit.js';

const common = {
  id: '1',
  projectId: 'p',
  name: 'Unit tests',
  status: 'passed',
  queued: '2026-08-02T10:00:00.000Z',
  started: '2026-08-02T10:00:01.000Z',
  ended: '2026-08-02T10:00:03.500Z',
  duration: 2.5,
  modified: '2026-08-02T10:00:03.500Z',
  errorCode: null,
  errorMessage: null,
  reason: null,
  triggeredBy: { type: 'cli', name: null, userId: null },
  profileId: null,
  profileName: null,
  rerunOf: null,
  webappUrl: 'http://runhook.test/runs/1',
} as const;
const ofTest = { kind: 'test', testId: 't', attempt: 1, cases: null, suiteRunId: null, position: null } as const;
const aRun = (some: Partial<TestRunView> = {}): TestRunView => ({ ...common, ...ofTest, ...some });
const aSuiteRun = (some: Partial<SuiteRunView> = {}): SuiteRunView => ({
  ...common,
  kind: 'suite',
  suiteId: 's',
  variables: [],
  definition: { tests: [], parallelism: 1, onFailure: 'continue', retryFailed: 0, overlap: 'allow' },
  counts: statusCounts(),
  parallelRun: false,
  parallelSlots: 1,
  runMode: 'sequence',
  testRuns: [],
  ...some,
});
const aCase = (some: Partial<CaseView> = {}): CaseView => ({
  attempt: 1,
  number: 1,
  group: 'cart.test.ts',
  name: 'adds',
  status: 'passed',
  duration: 0.25,
  message: null,
  details: null,
  output: null,
  ...some,
});

function report(run: RunView, tests: ReportedTest[]) {
  const xml = junitReport(run, tests);
  expect(XMLValidator.validate(xml)).to.equal(true);
  const isArray = (name: string) => name === 'testsuite' || name === 'testcase';
  return new XMLParser({ ignoreAttributes: false, parseAttributeValue: true, isArray }).parse(xml).testsuites;
}

describe('junitReport', () => {
  const failing = aRun({ status: 'failed', errorMessage: '1 of 3 cases failed: adds' });

  it('creates a suite with the cases of a test', () => {
    const cases = [
      aCase({
        status: 'failed',
        message: 'Expected 2 < 3',
        details: 'at cart.test.ts:3 <x>',
        output: '\x1b[31mred\x1b[0m',
      }),
      aCase({ name: 'removes', group: '' }),
      aCase({ name: 'pays', status: 'skipped', duration: null, message: 'no network' }),
    ];
    const { testsuite, ...totals } = report(failing, [{ run: failing, log: ['end of the log'], cases }]);
    expect(totals).to.include({ '@_tests': 3, '@_failures': 1, '@_errors': 0, '@_skipped': 1 });
    expect(testsuite).to.have.lengthOf(1);
    expect(testsuite[0]).to.include({ '@_name': 'Unit tests', '@_tests': 3, 'system-out': 'end of the log' });
    const [failed, passed, skipped] = testsuite[0].testcase;
    expect(failed).to.deep.equal({
      '@_name': 'adds',
      '@_classname': 'cart.test.ts',
      '@_time': 0.25,
      failure: {
        '@_message': 'Expected 2 < 3',
        '@_type': 'failed',
        '#text': 'http://runhook.test/runs/1\nat cart.test.ts:3 <x>',
      },
      'system-out': 'red',
    });
    expect(passed).to.deep.equal({ '@_name': 'removes', '@_classname': 'Unit tests', '@_time': 0.25 });
    expect(skipped.skipped).to.deep.include({ '@_message': 'no network' });
  });

  it('adds the verdict of a failed test without failed cases', () => {
    const run = aRun({ status: 'error', errorCode: 'TEST_TIMEOUT', errorMessage: 'too slow' });
    const { testsuite } = report(run, [{ run, log: ['last words'], cases: [aCase()] }]);
    expect(testsuite).to.have.lengthOf(1);
    expect(testsuite[0]).to.include({ '@_tests': 2, '@_errors': 1 });
    expect(testsuite[0].testcase[1].error['@_message']).to.equal('error: TEST_TIMEOUT: too slow');
    expect(testsuite[0].testcase[1].error['#text']).to.contain('last words');
  });

  it('puts tests without cases into one suite, and creates one suite if there are none', () => {
    const suite = aSuiteRun({ name: 'Nightly', status: 'failed' });
    const plain = { run: aRun({ name: 'Smoke' }), log: [] };
    const mixed = report(suite, [plain, { run: failing, log: [], cases: [aCase({ status: 'error' })] }]);
    expect(mixed['@_tests']).to.equal(2);
    expect(mixed.testsuite.map((one: Record<string, unknown>) => one['@_name'])).to.deep.equal([
      'Nightly',
      'Unit tests',
    ]);
    const only = report(suite, [{ ...plain, run: failing }]);
    expect(only.testsuite).to.have.lengthOf(1);
    expect(only.testsuite[0].testcase[0]['@_name']).to.equal('Unit tests');
  });

  it('never reports success for a run that did not pass', () => {
    const suite = aSuiteRun({ name: 'Nightly', status: 'stopped' });
    const { testsuite } = report(suite, [{ run: aRun(), log: [], cases: [aCase()] }]);
    expect(testsuite[0]).to.include({ '@_name': 'Nightly', '@_errors': 1 });
  });
});
