import { expect } from 'chai';
import { settingsWorld } from '#test/src/web/settings/settings-world.js';

describe('settings, audit', () => {
  const world = settingsWorld();

  it('is restricted to owners, and describes who did what', async () => {
    const { path, people } = await world.project();
    expect((await people.editor.get(`${path}/audit`)).status).to.equal(403);
    expect((await people.owner.get(`${path}/audit`)).html).to.include('No entries yet');
    await people.owner.send(`${path}/members/${people.viewer.userId}/role`, { role: 'editor' });
    const { html } = await people.owner.get(`${path}/audit`);
    expect(html).to.include(people.owner.email).and.to.include('changed the role of a member');
    expect(html).to.include('before: viewer; after: editor').and.to.include(people.viewer.email);
  });

  it('is paged, and filtered by action and person', async () => {
    const { path, people } = await world.project();
    for (const role of ['editor', 'viewer', 'editor'])
      await people.owner.send(`${path}/members/${people.viewer.userId}/role`, { role });
    await people.editor.send(`${path}/variables/new`, { name: 'Mine' });
    const rows = (html: string) => (html.match(/<tr>/g)?.length ?? 1) - 1;
    const first = await people.owner.get(`${path}/audit?limit=3`);
    expect(rows(first.html)).to.equal(3);
    expect(first.html).to.include('4 entries');
    const next = /href="([^"]*cursor=[^"]*)"[^>]*rel="next"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    expect(rows((await people.owner.get(`${next}&limit=3`)).html)).to.equal(1);

    const byAction = await people.owner.get(`${path}/audit?action=profile.create&actor=`);
    expect(rows(byAction.html)).to.equal(1);
    expect(byAction.html).to.include('Mine').and.to.include('1 entry');
    const byPerson = await people.owner.get(`${path}/audit?actor=${encodeURIComponent(people.editor.email)}`);
    expect(rows(byPerson.html)).to.equal(1);
    const none = await people.owner.get(`${path}/audit?action=project.import&actor=${people.editor.email}`);
    expect(none.html).to.include('No matching entries');
  });

  it('escapes names, and rejects a cursor of another list', async () => {
    const { path, people } = await world.project();
    await people.editor.send(`${path}/variables/new`, { name: '<img src=x onerror=alert(1)>' });
    expect((await people.owner.get(`${path}/audit`)).html)
      .to.include('&lt;img')
      .and.not.to.include('<img src=x');
    expect((await people.owner.get(`${path}/audit?cursor=nonsense`)).status).to.equal(400);
  });
});
