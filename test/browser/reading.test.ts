import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { endedRun, trigger, webhookUrl } from '#test/support/stack.js';
import { useApp } from './support/app.js';

/** Output of a hostile test: markup, colors, and escape sequences that move, clear, rename and link. */
const PRINTS = String.raw`printf '<script>window.pwned=1</script><img src=x onerror=window.pwned=1>\n\033[31mred\033[0m plain\n\033[2J\033[H\033]0;title\007\033]8;;http://evil.example\007link\033]8;;\007 over\n'`;

describe('reading in the web app', function () {
  this.timeout(60_000);
  const app = useApp();
  let project: ImportedProject;
  let viewer: TestPerson;
  let outsider: TestPerson;
  const runs = { test: '', suite: '' };

  before(async () => {
    project = await app.stack.importText(`
project: Secret plans
tests:
  - { name: Prints, command: [sh, -c, ${JSON.stringify(PRINTS)}] }
suites:
  - { name: Smoke, tests: [Prints] }
`);
    const other = await app.stack.importText('project: Other\ntests:\n  - { name: T, command: [x] }\nsuites: []\n');
    viewer = await addPerson(app.stack.collections, { roles: { [project.projectId]: 'viewer' } });
    outsider = await addPerson(app.stack.collections, { roles: { [other.projectId]: 'owner' } });
    runs.test = (await trigger(webhookUrl(app.stack, project, 'tests', 'Prints'))).id;
    runs.suite = (await trigger(webhookUrl(app.stack, project, 'suites', 'Smoke'))).id;
    await Promise.all(Object.values(runs).map((id) => endedRun(app.stack, id)));
  });

  const paths = () => [
    ...['tests', 'suites', 'runs', 'insights', 'integrations/webhooks', 'integrations/ci', 'settings/members'].map(
      (section) => `/projects/${project.projectId}/${section}`,
    ),
    `/tests/${project.tests.Prints}`,
    `/suites/${project.suites.Smoke}`,
    `/tests/${project.tests.Prints}/run-from-outside`,
    ...Object.values(runs).flatMap((id) => [`/runs/${id}`, `/runs/${id}/log`]),
  ];

  app.it('members of other projects see nothing, and get the same response as for missing resources', async () => {
    const { page, problems } = await app.visit({ as: outsider });
    problems.expect(/^answer: 404 /);
    await page.goto('/');
    expect(await page.locator('body').innerText()).not.to.contain('Secret plans');
    const nowhere = await page.goto('/runs/00000000-0000-4000-8000-000000000000');
    expect(nowhere?.status()).to.equal(404);
    // The request id differs.
    const words = async () => (await page.locator('main').innerText()).replace(/[0-9a-f-]{36}/, '');
    const said = await words();
    for (const path of paths()) {
      const answer = await page.goto(path);
      expect(answer?.status(), path).to.equal(404);
      expect(await words(), path).to.equal(said);
    }
  });

  app.it('a viewer sees no forbidden action and no token', async () => {
    const { page } = await app.visit({ as: viewer });
    for (const path of [
      `/tests/${project.tests.Prints}`,
      `/projects/${project.projectId}/tests`,
      `/runs/${runs.test}`,
    ]) {
      await page.goto(path);
      expect(await page.getByRole('button', { name: /^Run\b/ }).count(), path).to.equal(0);
      expect(await page.getByRole('link', { name: /^(Edit|Archive|Stop|New|Rerun)/ }).count(), path).to.equal(0);
    }
    for (const path of paths()) {
      const html = await (await page.request.get(path)).text();
      expect(html, path).not.to.contain(project.webhookToken);
    }
  });

  app.it('runs and lists can be read, and lists searched, without JavaScript', async () => {
    const { page } = await app.visit({ as: viewer, javaScriptEnabled: false });
    await page.goto('/');
    await page.getByRole('link', { name: 'Secret plans' }).first().click();
    await page.getByRole('link', { name: 'Prints' }).first().waitFor();
    await page.getByRole('searchbox').fill('nothing like that');
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL(/search=nothing/);
    expect(await page.getByRole('link', { name: 'Prints', exact: true }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
    await page.locator(`a[href="/runs/${runs.test}"]`).first().click();
    await page.getByText('red plain').waitFor();
    await page.getByText('passed').first().waitFor();
    await page.goto(`/runs/${runs.suite}`);
    await page.getByRole('link', { name: 'Prints' }).first().waitFor();
  });

  app.it('output of a test is shown as inert text, with its colors', async () => {
    const { page } = await app.visit({ as: viewer });
    await page.goto(`/runs/${runs.test}`);
    const log = page.locator('.log');
    await log.getByText('<script>window.pwned=1</script><img src=x onerror=window.pwned=1>').waitFor();
    await log.getByText('link over').waitFor();
    expect(await log.locator('script, img, a[href^="http"]').count()).to.equal(0);
    expect(await page.evaluate(() => 'pwned' in globalThis)).to.equal(false);
    expect(await page.title()).to.contain('Prints');
    const [red, plain] = await log
      .locator('li', { hasText: 'red plain' })
      .evaluate((line) =>
        [line.querySelector('.text span')!, line.querySelector('.text')!].map((part) => getComputedStyle(part).color),
      );
    expect(red).not.to.equal(plain);
    const download = await page.request.get(`/runs/${runs.test}/log`);
    expect(download.headers()['content-type']).to.match(/^text\/plain/);
    expect(download.headers()['content-disposition']).to.match(/^attachment/);
  });
});
