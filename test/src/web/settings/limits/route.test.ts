import { expect } from 'chai';
import { settingsWorld } from '#test/src/web/settings/settings-world.js';

describe('settings, limits', () => {
  const world = settingsWorld();

  it('show the effective limits to members, who cannot change them', async () => {
    const { path, people } = await world.project();
    const { html } = await people.owner.get(`${path}/limits`);
    expect(html).to.include('6,000').and.to.include('ask an admin').and.not.to.include('name="openRuns"');
    expect((await people.owner.send(`${path}/limits`, { openRuns: '5' })).status).to.equal(403);
  });

  it('are set and reset by an admin', async () => {
    const { id, path, people } = await world.project();
    const admin = await world.somebody({ isAdmin: true });
    const saved = await admin.send(`${path}/limits`, { openRuns: '17', tokenBurst: '' });
    expect([saved.status, saved.location]).to.deep.equal([303, `${path}/limits`]);
    expect((await world.real.collections.projects.findOne({ _id: id }))!.limits).to.deep.equal({ openRuns: 17 });
    const { html } = await people.viewer.get(`${path}/limits`);
    expect(html).to.include('>17<').and.to.include('>this project<');
    await admin.send(`${path}/limits`, {});
    expect(await world.real.collections.projects.findOne({ _id: id })).not.to.have.property('limits');
  });

  it('show errors at their fields, and keep the input', async () => {
    const { path } = await world.project();
    const admin = await world.somebody({ isAdmin: true });
    const { status, html } = await admin.send(`${path}/limits`, { openRuns: '0', tokenTriggersPerMinute: '12' });
    expect(status).to.equal(400);
    expect(html)
      .to.match(/id="openRuns-problem">Must be a whole number from 1/)
      .and.to.include('value="12"');
  });
});
