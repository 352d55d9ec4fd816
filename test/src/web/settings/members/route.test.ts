import { expect } from 'chai';
import { settingsWorld } from '#test/src/web/settings/settings-world.js';

describe('settings, members', () => {
  const world = settingsWorld();

  it('show all members with their roles, and no changes for a viewer', async () => {
    const { path, people } = await world.project();
    const { status, html } = await people.viewer.get(`${path}/members`);
    expect(status).to.equal(200);
    for (const { email } of Object.values(people)) expect(html).to.include(email);
    expect(html).to.include('(you)').and.to.include(`href="${path}/leave"`);
    expect(html).not.to.include('<select').and.not.to.include('/invitations');
    expect((await people.editor.send(`${path}/invitations`, { role: 'owner' })).status).to.equal(403);
  });

  it('let an owner change a role', async () => {
    const { id, path, people } = await world.project();
    const { userId } = people.viewer;
    const sent = await people.owner.send(`${path}/members/${userId}/role`, { role: 'editor' });
    expect([sent.status, sent.location]).to.deep.equal([303, `${path}/members`]);
    expect((await people.owner.follow(sent)).html).to.include(`${people.viewer.email} is now editor.`);
    const membership = await world.real.collections.memberships.findOne({ projectId: id, userId });
    expect(membership!.role).to.equal('editor');
    const wrong = await people.owner.send(`${path}/members/${userId}/role`, { role: 'king' });
    expect(wrong.status).to.equal(400);
  });

  it('keep an owner, with the error on the same page', async () => {
    const { path, people } = await world.project();
    const refused = await people.owner.send(`${path}/members/${people.owner.userId}/role`, { role: 'viewer' });
    expect(refused.status).to.equal(409);
    expect(refused.html).to.include('A project needs at least one owner').and.to.include(people.viewer.email);
    const leaving = await people.owner.send(`${path}/members/${people.owner.userId}/remove`);
    expect(leaving.status).to.equal(409);
    expect(leaving.html).to.include('A project needs at least one owner').and.to.include('Remove member');
  });

  it('remove a member after confirmation', async () => {
    const { path, people } = await world.project();
    const asked = await people.owner.get(`${path}/members/${people.viewer.userId}/remove`);
    expect(asked.html).to.include(`Remove ${people.viewer.email}`);
    expect((await people.owner.send(`${path}/members/${people.viewer.userId}/remove`)).location).to.equal(
      `${path}/members`,
    );
    expect((await people.viewer.get(`${path}/members`)).status).to.equal(404);
    expect((await people.owner.get(`${path}/members/${people.viewer.userId}/remove`)).status).to.equal(404);
  });

  it('let a viewer leave, and not the last owner', async () => {
    const { path, people } = await world.project();
    expect((await people.viewer.get(`${path}/leave`)).html).to.include('Leave project');
    const left = await people.viewer.send(`${path}/leave`);
    expect([left.status, left.location]).to.deep.equal([303, '/']);
    expect((await people.viewer.get(`${path}/members`)).status).to.equal(404);
    const refused = await people.owner.send(`${path}/leave`);
    expect(refused.status).to.equal(409);
    expect(refused.html).to.include('A project needs at least one owner');
  });

  it('offer to revoke the project API tokens that a removed member created', async () => {
    const { id, path, people } = await world.project();
    const { apiTokens } = world.real.collections;
    const live = () => apiTokens.countDocuments({ projectId: id, revokedAt: { $exists: false } });
    await people.owner.send(`${path}/members/${people.editor.userId}/role`, { role: 'owner' });
    for (const name of ['CI', 'Chat'])
      await people.editor.send(`${path}/tokens`, { name, scopes: ['read'], lifetime: '30' });
    await people.owner.send(`${path}/tokens`, { name: 'mine', scopes: ['read'], lifetime: '30' });
    const at = `${path}/members/${people.editor.userId}/remove`;
    expect((await people.owner.get(at)).html)
      .to.match(/<input[^>]*name="revokeTokens"[^>]*checked/)
      .and.to.include('the 2 API tokens of the project');
    await people.owner.send(at, { revokeTokens: 'true' });
    expect(await live()).to.equal(1);
  });

  it('redirect an owner who has left to the other projects', async () => {
    const { path, people } = await world.project();
    await people.owner.send(`${path}/members/${people.editor.userId}/role`, { role: 'owner' });
    expect((await people.owner.send(`${path}/members/${people.owner.userId}/remove`)).location).to.equal('/');
    expect((await people.owner.get(`${path}/members`)).status).to.equal(404);
  });

  it('show the link of an invitation once, list it, and revoke it', async () => {
    const { id, path, people } = await world.project();
    const email = 'grace@example.test';
    const made = await people.owner.send(`${path}/invitations`, { role: 'editor', email });
    expect(made.status).to.equal(200);
    expect(made.headers['cache-control']).to.equal('no-store');
    const url = /http:\/\/runhook\.test(\/invitations\/rhin_\w+)/.exec(made.html)![1]!;
    expect((await world.real.server.inject({ url, headers: { accept: 'text/html' } })).payload).to.include('editor');

    const list = await people.owner.get(`${path}/members`);
    expect(list.html).to.include(email).and.not.to.include('rhin_');
    const { _id } = (await world.real.collections.invitations.findOne({ projectId: id }))!;
    expect((await people.owner.get(`${path}/invitations/${_id}/revoke`)).html).to.include(`for ${email}?`);
    expect((await people.owner.send(`${path}/invitations/${_id}/revoke`)).status).to.equal(303);
    expect((await people.owner.get(`${path}/members`)).html).not.to.include(email);
    expect((await people.owner.get(`${path}/invitations/${_id}/revoke`)).status).to.equal(404);
  });

  it('show an invalid invitation again with its input', async () => {
    const { path, people } = await world.project();
    const { status, html } = await people.owner.send(`${path}/invitations`, { role: 'owner', email: 'no <b>mail' });
    expect(status).to.equal(400);
    expect(html)
      .to.match(/id="email-problem">Must be an email address/)
      .and.to.include('no &lt;b>mail');
    expect(html).to.match(/<option[^>]*selected[^>]*value="owner"|<option[^>]*value="owner"[^>]*selected/);
  });
});
