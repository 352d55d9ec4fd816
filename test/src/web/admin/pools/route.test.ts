import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import { aTestDefinition } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { ESCAPED, settingsWorld, type SomeBody } from '#test/src/web/settings/settings-world.js';

describe('admin pages of pools', () => {
  const world = settingsWorld();
  let admin: SomeBody;
  let name: string;
  before(async () => (admin = await world.somebody({ isAdmin: true })));
  beforeEach(() => (name = `pool-${randomId().slice(0, 8)}`));
  const find = (pool: string) => world.real.collections.pools.findOne({ _id: pool });

  it('create, list, change and delete pools with selected projects', async () => {
    const { id } = await world.project();
    expect((await admin.get('/admin/pools/new')).html)
      .to.include(ESCAPED)
      .and.to.include(id);
    const made = await admin.send('/admin/pools/new', {
      name,
      description: 'Fast <b>',
      access: 'listed',
      projects: id,
    });
    expect([made.status, made.location]).to.deep.equal([303, '/admin/pools']);
    expect(await find(name)).to.deep.include({ description: 'Fast <b>', projects: [id], revision: 1 });
    const list = await admin.get('/admin/pools');
    expect(list.html).to.include(name).and.to.include('Fast &lt;b>').and.to.include('1 project');

    const page = await admin.get(`/admin/pools/${name}`);
    expect(page.html).to.match(new RegExp(`value="${id}" checked`));
    await admin.send(`/admin/pools/${name}`, { description: '', access: 'all', revision: '1' });
    expect(await find(name)).to.deep.include({ projects: 'all', revision: 2 });
    const late = await admin.send(`/admin/pools/${name}`, { description: '', access: 'listed', revision: '1' });
    expect([late.status, (await find(name))!.projects]).to.deep.equal([412, 'all']);

    expect((await admin.get(`/admin/pools/${name}/remove`)).html).to.include(`Remove the pool ${name}?`);
    expect((await admin.send(`/admin/pools/${name}/remove`)).location).to.equal('/admin/pools');
    expect(await find(name)).to.equal(null);
  });

  it('show errors at their fields', async () => {
    const odd = await admin.send('/admin/pools/new', { name: 'Not A Name', access: 'all' });
    expect(odd.status).to.equal(400);
    expect(odd.html).to.match(/id="name-problem"/);
    await admin.send('/admin/pools/new', { name, access: 'all' });
    const taken = await admin.send('/admin/pools/new', { name, access: 'all' });
    expect(taken.html).to.match(/id="name-problem">A pool named/);
  });

  it('offer pools in the form of a test, which keeps one that its project lost', async () => {
    const { id, people } = await world.project();
    await admin.send('/admin/pools/new', { name, access: 'listed', projects: id });
    const { html } = await people.editor.get(`/projects/${id}/tests/new`);
    expect(html)
      .to.match(/<select[^>]* id="pool"/)
      .and.to.include(`<option value="${name}">`);
    const elsewhere = await world.project();
    expect((await elsewhere.people.editor.get(`/projects/${elsewhere.id}/tests/new`)).html).not.to.include(name);

    const test = aTest({ projectId: id, definition: aTestDefinition({ pool: name }) });
    await world.real.collections.tests.insertOne(test);
    await admin.send(`/admin/pools/${name}`, { description: '', access: 'listed', revision: '1' });
    expect((await people.editor.get(`/tests/${test._id}/edit`)).html).to.include(`${name} (not available)`);
  });

  it('are restricted to admins', async () => {
    const { get, send } = await world.somebody();
    for (const path of ['/admin/pools', '/admin/pools/new', '/admin/pools/default'])
      expect((await get(path)).status, path).to.equal(403);
    expect((await send('/admin/pools/new', { name, access: 'all' })).status).to.equal(403);
  });
});
