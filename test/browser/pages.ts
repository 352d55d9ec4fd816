import type { Page } from 'playwright-core';
import type { TestPerson } from '#test/support/people.js';
import type { World } from './world/world.js';

/** A page of the web app to check. */
export interface AppPage {
  /** Also for its screenshots. */
  name: string;
  path(world: World): string;
  /** The person who is signed in; absent: no one. */
  as?(world: World): TestPerson;
  /** 200 by default. */
  status?: number;
  /** Prepares the page, for example by opening a dialog or a menu. */
  open?(page: Page): Promise<void>;
}

const inShop = (rest: string) => (world: World) => `/projects/${world.webshop.id}/${rest}`;
const inEmpty = (rest: string) => (world: World) => `/projects/${world.emptyProjectId}/${rest}`;
const ofTest =
  (rest = '', name = 'Checkout') =>
  (world: World) =>
    `/tests/${world.webshop.tests[name]}${rest}`;
const ofSuite =
  (rest = '') =>
  (world: World) =>
    `/suites/${world.webshop.suites['Nightly']}${rest}`;
const ofSchedule =
  (rest = '') =>
  (world: World) =>
    `/schedules/${world.scheduleId}${rest}`;
const ofRun =
  (name: keyof World['runs'], rest = '') =>
  (world: World) =>
    `/runs/${world.runs[name]}${rest}`;

const nobody: Record<string, AppPage['path']> = {
  'sign-in': () => '/sign-in',
  invitation: (world) => world.invitation,
  docs: () => '/docs',
  'docs-page': () => '/docs/operations',
  'docs-search': () => '/docs/search?q=idempotency+key',
};

const owners: Record<string, AppPage['path']> = {
  projects: () => '/',
  'project-new': () => '/projects/new',
  'project-import': () => '/projects/import',
  tests: inShop('tests'),
  'tests-none': inEmpty('tests'),
  'tests-none-found': inShop('tests?search=nothing+like+that'),
  'test-new': inShop('tests/new'),
  'test-new-browser': inShop('tests/new?runner=browser'),
  'test-new-http': inShop('tests/new?runner=http'),
  test: ofTest(),
  'test-browser': ofTest('', 'Pay by card in the browser'),
  'test-http': ofTest('', 'Orders in the API'),
  'test-from-git': ofTest('', 'End-to-end tests of the repository'),
  'test-edit-browser': ofTest('/edit', 'Pay by card in the browser'),
  'test-edit-http': ofTest('/edit', 'Orders in the API'),
  'test-edit-from-git': ofTest('/edit', 'End-to-end tests of the repository'),
  'test-edit': ofTest('/edit'),
  'test-archive': ofTest('/archive'),
  'test-run-from-outside': ofTest('/run-from-outside'),
  suites: inShop('suites'),
  'suites-none': inEmpty('suites'),
  'suite-new': inShop('suites/new'),
  suite: ofSuite(),
  'suite-edit': ofSuite('/edit'),
  'suite-archive': ofSuite('/archive'),
  'suite-run-from-outside': ofSuite('/run-from-outside'),
  schedules: inShop('schedules'),
  'schedules-none': inEmpty('schedules'),
  'schedule-new': inShop('schedules/new'),
  schedule: ofSchedule(),
  'schedule-edit': ofSchedule('/edit'),
  'schedule-remove': ofSchedule('/remove'),
  runs: inShop('runs'),
  'runs-filtered': inShop('runs?status=failed'),
  'runs-none': inEmpty('runs'),
  'run-passed': ofRun('passed'),
  'run-failed': ofRun('failed'),
  'run-retried': ofRun('retried'),
  'run-broken': ofRun('broken'),
  'run-browser-failed': ofRun('browserFailed'),
  'run-http-failed': ofRun('httpFailed'),
  'run-with-cases': ofRun('withCases'),
  'run-from-git': ofRun('fromGit'),
  'run-running': ofRun('running'),
  'run-waiting': ofRun('waiting'),
  'run-stop': ofRun('running', '/stop'),
  'suite-run-ended': ofRun('smoke'),
  'suite-run-running': ofRun('nightly'),
  'suite-run-timeline': ofRun('nightly', '/timeline'),
  'suite-run-stop': ofRun('nightly', '/stop'),
  'suite-run-rerun-failed': ofRun('smoke', '/rerun-failed'),
  insights: inShop('insights'),
  'insights-none': inEmpty('insights'),
  webhooks: inShop('integrations/webhooks'),
  'webhooks-rotate': inShop('integrations/webhooks/rotate'),
  'webhooks-revoke': inShop('integrations/webhooks/1/revoke'),
  'webhooks-networks': inShop('integrations/webhooks/1/networks'),
  'ci-snippets': inShop('integrations/ci'),
  'settings-general': inShop('settings/general'),
  'settings-members': inShop('settings/members'),
  'settings-tokens': inShop('settings/tokens'),
  'settings-limits': inShop('settings/limits'),
  'settings-variables': inShop('settings/variables'),
  'settings-variables-new': inShop('settings/variables/new'),
  'settings-audit': inShop('settings/audit'),
  'settings-leave': inShop('settings/leave'),
  'settings-remove': inShop('settings/remove'),
  profile: () => '/profile',
  'profile-sessions': () => '/profile/sessions',
  'profile-tokens': () => '/profile/tokens',
  'api-docs': () => '/api/v2/docs',
};

const admins: Record<string, AppPage['path']> = {
  'admin-health': () => '/admin/health',
  'admin-workers': () => '/admin/workers',
  'admin-pools': () => '/admin/pools',
  'admin-pool': () => '/admin/pools/phones',
  'admin-users': () => '/admin/users',
  'admin-audit': () => '/admin/audit',
};

const list = (paths: Record<string, AppPage['path']>, as?: AppPage['as']): AppPage[] =>
  Object.entries(paths).map(([name, path]) => ({ name, path, ...(as ? { as } : {}) }));

/** Every page of the web app, in each relevant state. */
export const PAGES: readonly AppPage[] = [
  ...list(nobody),
  ...list(owners, (world) => world.owner),
  ...list(admins, (world) => world.admin),
  { name: 'welcome', path: () => '/', as: (world) => world.newcomer },
  { name: 'test-as-viewer', path: ofTest(), as: (world) => world.viewer },
  {
    name: 'not-found',
    path: () => '/runs/00000000-0000-4000-8000-000000000000',
    as: (world) => world.owner,
    status: 404,
  },
  { name: 'forbidden', path: ofTest('/edit'), as: (world) => world.viewer, status: 403 },
  { name: 'menu-of-a-test', path: inShop('tests'), as: (world) => world.owner, open: openMenu },
  { name: 'dialog-cli', path: inShop('tests'), as: (world) => world.owner, open: openOutside },
  { name: 'dialog-webhook', path: inShop('tests'), as: (world) => world.owner, open: openWebhookTab },
];

/** The “...” menu in the row of a test. */
export async function openMenu(page: Page, name = 'Checkout'): Promise<void> {
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  await row.getByRole('button', { name: /more|menu|actions/i }).click();
  await page.getByRole('link', { name: 'Run via CLI or webhook' }).filter({ visible: true }).waitFor();
}

/** “Run via CLI or webhook” of that menu. */
export async function openOutside(page: Page, name = 'Checkout'): Promise<void> {
  await openMenu(page, name);
  await page.getByRole('link', { name: 'Run via CLI or webhook' }).filter({ visible: true }).click();
  await page.getByRole('dialog').getByRole('heading').first().waitFor();
}

/** Its Webhook tab. */
export async function openWebhookTab(page: Page, name = 'Checkout'): Promise<void> {
  await openOutside(page, name);
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('tab', { name: 'Webhook' })
    .or(dialog.getByRole('link', { name: 'Webhook', exact: true }))
    .click();
  await dialog.getByText('/webhooks/').first().waitFor();
}
