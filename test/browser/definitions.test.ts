import { expect } from 'chai';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { useApp } from './support/app.js';
import { openMenu } from './pages.js';

describe('definitions in the web app', function () {
  this.timeout(60_000);
  const app = useApp();
  let owner: TestPerson;
  let projectId: string;

  before(async () => {
    const project = await app.stack.importText(`
project: Shop
tests:
  - { name: First, command: ['true'] }
  - { name: Second, command: ['true'] }
  - { name: Third, command: ['true'] }
suites: []
`);
    projectId = project.projectId;
    owner = await addPerson(app.stack.collections, { roles: { [projectId]: 'owner' } });
  });

  app.it('a test is created, with errors shown at their fields, edited and archived', async () => {
    const { page, problems } = await app.visit({ as: owner });
    problems.expect(/^answer: 4(00|22) POST /);
    await page.goto(`/projects/${projectId}/tests`);
    await page
      .getByRole('link', { name: /new test/i })
      .first()
      .click();
    await page.getByLabel('Name').fill('Refund <script>alert(1)</script>');
    await page.getByLabel('Command', { exact: true }).fill("sh -c 'exit 0'");
    await page.getByLabel('Working folder').fill('not/absolute');
    const save = page.locator('main').getByRole('button', { name: /^(create|save|add)/i });
    await save.click();
    const folder = page.getByLabel('Working folder');
    await page.locator('[name=cwd][aria-invalid=true]').waitFor();
    expect(await page.getByLabel('Command', { exact: true }).inputValue()).to.equal("sh -c 'exit 0'");
    await folder.fill('/');
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'Refund <script>alert(1)</script>' }).waitFor();

    await page
      .getByRole('link', { name: 'Edit' })
      .filter({ visible: true })
      .first()
      .or(page.getByRole('button', { name: /more actions/i }))
      .first()
      .click();
    const edit = page.getByRole('link', { name: 'Edit' }).filter({ visible: true }).first();
    if (!page.url().endsWith('/edit')) await edit.click();
    await page.getByLabel('Name').fill('Refund');
    await page.locator('main').getByRole('button', { name: /^save/i }).click();
    await page.getByRole('heading', { level: 1, name: 'Refund', exact: true }).waitFor();
    const test = await app.stack.collections.tests.findOne({ projectId, name: 'Refund' });
    expect(test?.definition).to.deep.include({ command: ['sh', '-c', 'exit 0'], cwd: '/' });

    await page.goto(`/projects/${projectId}/tests`);
    await openMenu(page, 'Refund');
    await page.getByRole('link', { name: 'Archive' }).filter({ visible: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /archive/i })
      .click();
    await page
      .getByRole('status')
      .filter({ hasText: /archived/i })
      .waitFor();
    expect(await page.getByRole('link', { name: 'Refund', exact: true }).count()).to.equal(0);
    expect(await app.stack.collections.tests.findOne({ _id: test!._id })).to.have.property('archivedAt');
  });

  app.it('a suite is assembled and ordered with the keyboard only, edited and archived', async () => {
    const { page } = await app.visit({ as: owner });
    await page.goto(`/projects/${projectId}/suites/new`);
    await page.getByLabel('Name', { exact: true }).fill('Smoke');
    const search = page.getByLabel('Add tests by name');
    for (const name of ['First', 'Second', 'Third']) {
      await search.fill(name);
      const found = page.locator('[data-results]').getByRole('button', { name: new RegExp(name) });
      await found.waitFor();
      await found.press('Enter');
    }
    const order = page.getByRole('list', { name: /in order/ });
    const names = async () => await order.locator('li > span').allTextContents();
    expect(await names()).to.deep.equal(['First', 'Second', 'Third']);

    const handle = order.getByRole('button', { name: /^Move Third:/ });
    await handle.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await names()).to.deep.equal(['Third', 'First', 'Second']);
    expect(await handle.evaluate((element) => element === document.activeElement)).to.equal(true);
    await page.getByText('Third: 1 of 3.').waitFor({ state: 'attached' });
    await page.getByLabel('Concurrent tests').fill('2');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Smoke' }).waitFor();
    const suite = (await app.stack.collections.suites.findOne({ projectId, name: 'Smoke' }))!;
    const tests = await app.stack.collections.tests.find({ projectId }).toArray();
    const named = (ids: string[]) => ids.map((id) => tests.find(({ _id }) => _id === id)?.name);
    expect(named(suite.definition.tests)).to.deep.equal(['Third', 'First', 'Second']);
    expect(suite.definition.parallelism).to.equal(2);

    await page.goto(`/suites/${suite._id}/edit`);
    await order.getByRole('button', { name: 'Remove First' }).press('Enter');
    await page.locator('main').getByRole('button', { name: /^save/i }).press('Enter');
    await page.waitForURL(`/suites/${suite._id}`);
    const edited = await app.stack.collections.suites.findOne({ _id: suite._id });
    expect(named(edited!.definition.tests)).to.deep.equal(['Third', 'Second']);

    await page.goto(`/suites/${suite._id}/archive`);
    await page.getByRole('button', { name: /archive/i }).press('Enter');
    await page.waitForURL(`/projects/${projectId}/suites`);
    expect(await page.getByRole('link', { name: 'Smoke', exact: true }).count()).to.equal(0);
  });
});
