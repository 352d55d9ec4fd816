import { expect } from 'chai';
import { settingsWorld } from '#test/src/web/settings/settings-world.js';

describe('settings, API tokens', () => {
  const world = settingsWorld();

  it('are restricted to owners', async () => {
    const { path, people } = await world.project();
    expect((await people.editor.get(`${path}/tokens`)).status).to.equal(403);
    expect((await people.editor.send(`${path}/tokens`, { name: 'x', scopes: 'read', lifetime: '30' })).status).to.equal(
      403,
    );
    expect((await people.owner.get(`${path}/tokens`)).html).to.include('No API tokens yet');
  });

  it('are shown once, then listed without the token', async () => {
    const { path, people, id } = await world.project();
    const fields = { name: 'CI <i>', scopes: ['read', 'run'], lifetime: '30' };
    const made = await people.owner.send(`${path}/tokens`, fields);
    expect(made.status).to.equal(200);
    expect(made.headers['cache-control']).to.equal('no-store');
    const token = /rhat_\w+/.exec(made.html)![0];
    const opened = await world.real.server.inject({
      url: `/api/v2/projects/${id}/`,
      headers: { authorization: `Token ${token}` },
    });
    expect(opened.statusCode).to.equal(200);
    const list = await people.owner.get(`${path}/tokens`);
    expect(list.html).to.include('CI &lt;i>').and.to.include('read, run').and.not.to.include('rhat_');
    const record = await world.real.collections.apiTokens.findOne({ projectId: id });
    expect(record!.expiresAt!.getTime() - record!.createdAt.getTime()).to.be.closeTo(30 * 86_400_000, 60_000);
  });

  it('show errors at their fields', async () => {
    const { path, people } = await world.project();
    const { status, html } = await people.owner.send(`${path}/tokens`, { name: ' ', lifetime: 'never' });
    expect(status).to.equal(400);
    expect(html)
      .to.match(/id="name-problem">Must be a name/)
      .and.to.match(/id="scopes-problem">Select at least one scope/);
  });

  it('are revoked after confirmation', async () => {
    const { path, people, id } = await world.project();
    const made = await people.owner.send(`${path}/tokens`, { name: 'CI', scopes: 'edit', lifetime: 'never' });
    const token = /rhat_\w+/.exec(made.html)![0];
    const { id: tokenId } = (await world.real.collections.apiTokens.findOne({ projectId: id }))!;
    expect((await people.owner.get(`${path}/tokens/${tokenId}/revoke`)).html).to.include('Revoke the token “CI”?');
    expect((await people.owner.send(`${path}/tokens/${tokenId}/revoke`)).location).to.equal(`${path}/tokens`);
    const refused = await world.real.server.inject({
      url: `/api/v2/projects/${id}/`,
      headers: { authorization: `Token ${token}` },
    });
    expect(refused.statusCode).to.equal(401);
    expect((await people.owner.get(`${path}/tokens/${tokenId}/revoke`)).status).to.equal(404);
  });
});
