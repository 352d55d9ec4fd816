import type { BigProject } from '#test/support/big-project.js';

export interface WebPage {
  name: string;
  path: string;
  /** The page is the first one that this pattern finds a link to on `path`. */
  thenLink?: RegExp;
}

const NEXT = /href="([^"]+)"[^>]*rel="next"/;

/** Every page that shows data, of a project and global. */
export function webPages(projectId: string, big: BigProject): WebPage[] {
  const project = `/projects/${projectId}`;
  const test = `/tests/${big.tests[0]!._id}`;
  const [biggest, suite] = [`/suites/${big.suites[0]!._id}`, `/suites/${big.suites[1]!._id}`];
  const list = (name: string, path: string): WebPage[] => [
    { name, path },
    { name: `${name}, next page`, path, thenLink: NEXT },
  ];
  return [
    { name: 'Projects', path: '/' },
    ...list('Tests', `${project}/tests`),
    ...list('Tests, search', `${project}/tests?search=cart`),
    { name: 'Tests, rare search', path: `${project}/tests?search=04711` },
    { name: 'Tests, failed', path: `${project}/tests?verdict=bad` },
    { name: 'Tests, failed, search', path: `${project}/tests?verdict=bad&search=cart` },
    ...list('Tests by last run', `${project}/tests?sort=lastRun`),
    { name: 'Tests by pass rate', path: `${project}/tests?sort=passRate` },
    { name: 'Tests by duration', path: `${project}/tests?sort=duration` },
    ...list('Suites', `${project}/suites`),
    { name: 'Suites by last run', path: `${project}/suites?sort=lastRun` },
    { name: 'New test', path: `${project}/tests/new` },
    { name: 'New suite', path: `${project}/suites/new` },
    { name: 'Test', path: test },
    { name: 'Test, edit', path: `${test}/edit` },
    { name: 'Test, run from outside', path: `${test}/run-from-outside` },
    { name: 'Suite', path: suite },
    { name: 'Suite, edit', path: `${suite}/edit` },
    { name: 'Suite of all tests', path: biggest },
    { name: 'Suite of all tests, edit', path: `${biggest}/edit` },
    ...list('Runs', `${project}/runs`),
    { name: 'Runs, failed', path: `${project}/runs?status=failed` },
    { name: 'Runs, running', path: `${project}/runs?status=running` },
    { name: 'Runs of suites', path: `${project}/runs?kind=suite` },
    { name: 'Runs by trigger', path: `${project}/runs?trigger=cli` },
    { name: 'Runs of a test', path: `${project}/runs?targetId=${big.tests[0]!._id}` },
    { name: 'Run of a test', path: `/runs/${big.loggedRunId}` },
    { name: 'Run of a suite', path: `/runs/${big.suiteRunId}` },
    ...list('Run of a suite of all tests', `/runs/${big.biggestRunId}`),
    { name: 'Run of a suite of all tests, failed', path: `/runs/${big.biggestRunId}?status=failed` },
    { name: 'Insights, 7 days', path: `${project}/insights?days=7` },
    { name: 'Insights, 30 days', path: `${project}/insights` },
    { name: 'Insights, 90 days', path: `${project}/insights?days=90` },
    { name: 'Webhooks', path: `${project}/integrations/webhooks` },
    { name: 'CI snippets', path: `${project}/integrations/ci` },
    { name: 'Settings, general', path: `${project}/settings/general` },
    { name: 'Settings, members', path: `${project}/settings/members` },
    { name: 'Settings, tokens', path: `${project}/settings/tokens` },
    { name: 'Settings, limits', path: `${project}/settings/limits` },
    { name: 'Settings, variables', path: `${project}/settings/variables` },
    ...list('Settings, audit', `${project}/settings/audit`),
    { name: 'Admin, health', path: '/admin/health' },
    { name: 'Admin, workers', path: '/admin/workers' },
    { name: 'Admin, users', path: '/admin/users' },
    ...list('Admin, audit', '/admin/audit'),
    { name: 'Profile', path: '/profile' },
  ];
}
