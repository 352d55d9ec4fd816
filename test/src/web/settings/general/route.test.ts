import { expect } from 'chai';
import { aTestRun } from '#test/builders/run.js';
import { ESCAPED, settingsWorld } from '#test/src/web/settings/settings-world.js';

describe('settings, general', () => {
  const world = settingsWorld();

  it('redirect from the section to the first tab', async () => {
    const { path, people } = await world.project();
    const led = await people.viewer.get(path);
    expect([led.status, led.location]).to.deep.equal([303, `${path}/general`]);
  });

  it('show a viewer the settings without forms, and only accessible tabs', async () => {
    const { path, people } = await world.project();
    const { status, html } = await people.viewer.get(`${path}/general`);
    expect(status).to.equal(200);
    expect(html).to.include(ESCAPED).and.not.to.include('<script>alert');
    expect(html).not.to.include('name="retentionDays"').and.not.to.include(`${path}/remove`);
    expect(html).to.include(`${path}/limits`).and.not.to.include(`${path}/audit`).and.not.to.include(`${path}/tokens`);
    expect((await people.editor.send(`${path}/general`, { name: 'Mine', revision: '1' })).status).to.equal(403);
  });

  it('let an owner change name and retention, with a notice on the next page', async () => {
    const { id, path, people } = await world.project();
    const sent = await people.owner.send(`${path}/general`, { name: ' Store ', retentionDays: '30', revision: '1' });
    expect([sent.status, sent.location]).to.deep.equal([303, `${path}/general`]);
    expect(sent.headers['set-cookie']).to.match(/runhook_notice=/);
    const project = await world.real.collections.projects.findOne({ _id: id });
    expect(project).to.deep.include({ name: 'Store', retentionDays: 30, revision: 2 });
    await people.owner.send(`${path}/general`, { name: 'Store', retentionDays: '', revision: '2' });
    expect(await world.real.collections.projects.findOne({ _id: id })).not.to.have.property('retentionDays');
  });

  it('show invalid input again, with the error at its field', async () => {
    const { path, people } = await world.project();
    const { status, html } = await people.owner.send(`${path}/general`, {
      name: '',
      retentionDays: 'many"><b>',
      revision: '1',
    });
    expect(status).to.equal(400);
    expect(html).to.match(/id="name-problem">Must be a name of 1 to 200 characters/);
    expect(html).to.match(/id="retentionDays-problem">Must be a whole number from 1 to 3650/);
    expect(html).to.include('value="many&quot;>&lt;b>"').and.not.to.include('<b>');
  });

  it('do not overwrite concurrent changes', async () => {
    const { path, people } = await world.project();
    await people.owner.send(`${path}/general`, { name: 'First', revision: '1' });
    const late = await people.owner.send(`${path}/general`, { name: 'Second', revision: '1' });
    expect(late.status).to.equal(412);
    expect(late.html).to.include('Someone else saved changes').and.to.include('name="revision" value="2"');
    expect((await people.owner.send(`${path}/general`, { name: 'Second', revision: '2' })).status).to.equal(303);
  });

  it('keep the revision of the opened form after any other error', async () => {
    const { path, people } = await world.project();
    await people.owner.send(`${path}/general`, { name: 'First', revision: '1' });
    const wrong = await people.owner.send(`${path}/general`, { name: '', revision: '1' });
    expect([wrong.status, wrong.html.includes('name="revision" value="1"')]).to.deep.equal([400, true]);
    expect((await people.owner.send(`${path}/general`, { name: 'Second', revision: 'NaN' })).status).to.equal(400);
  });

  it('export the project as a file', async () => {
    const { id, path, people } = await world.project();
    const { status, html, headers } = await people.viewer.get(`${path}/export`);
    expect(status).to.equal(200);
    expect(headers['content-disposition']).to.equal(`attachment; filename="shop-${id}.yaml"`);
    expect(html).to.include('Shop <script>');
  });

  it('delete a project after confirmation', async () => {
    const { path, people } = await world.project();
    const asked = await people.owner.get(`${path}/remove`);
    expect(asked.html).to.include('Remove the project').and.to.include(ESCAPED);
    expect((await people.editor.get(`${path}/remove`)).status).to.equal(403);
    const sent = await people.owner.send(`${path}/remove`);
    expect([sent.status, sent.location]).to.deep.equal([303, '/']);
    expect((await people.owner.get(`${path}/general`)).status).to.equal(404);
  });

  it('show how many open runs a deletion stops, and link admins to the runs of a deleted project', async () => {
    const { id, path, people } = await world.project();
    const { runs } = world.real.collections;
    expect((await people.owner.get(`${path}/remove`)).html).to.include('There are no open runs.');
    const run = aTestRun({ projectId: id, status: 'running', startedAt: new Date() });
    await runs.insertOne(run);
    expect((await people.owner.get(`${path}/remove`)).html).to.include('1 open run will be stopped.');
    await runs.insertMany([
      aTestRun({ projectId: id }),
      aTestRun({ projectId: id, status: 'passed', endedAt: new Date() }),
    ]);
    expect((await people.owner.get(`${path}/remove`)).html).to.include('2 open runs will be stopped.');
    await people.owner.send(`${path}/remove`);

    const admin = await world.somebody({ isAdmin: true });
    const link = `/projects/${id}/runs`;
    expect((await admin.get('/admin/audit?action=project.remove')).html).to.include(`href="${link}"`);
    for (const page of [link, `/runs/${run._id}`]) {
      expect((await people.owner.get(page)).status, `${page} of the owner`).to.equal(404);
      const { status, html } = await admin.get(page);
      expect([status, html.includes('This project was removed')], page).to.deep.equal([200, true]);
      expect(html).to.include(ESCAPED).and.not.to.include(`href="/projects/${id}/tests"`);
    }
    const { html } = await admin.get(`/runs/${run._id}`);
    expect(html).to.include(`/runs/${run._id}/stop`).and.not.to.include('Run again');
    expect((await admin.get(`/runs/${run._id}/stop`)).status).to.equal(200);
    for (const section of ['tests', 'insights', 'settings/general', 'integrations/webhooks'])
      expect((await admin.get(`/projects/${id}/${section}`)).status, section).to.equal(404);
    expect((await admin.send(`/runs/${run._id}/rerun`)).status).to.equal(404);
  });

  it('return 404 for strangers', async () => {
    const { path } = await world.project();
    const stranger = await world.somebody();
    for (const tab of ['general', 'members', 'tokens', 'limits', 'variables', 'audit', 'export'])
      expect((await stranger.get(`${path}/${tab}`)).status, tab).to.equal(404);
  });
});
