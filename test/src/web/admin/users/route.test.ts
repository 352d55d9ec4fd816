import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import { settingsWorld, type SomeBody } from '#test/src/web/settings/settings-world.js';

describe('admin pages of users and audit', () => {
  const world = settingsWorld();
  let admin: SomeBody;
  before(async () => (admin = await world.somebody({ isAdmin: true })));

  const find = (userId: string) => world.real.collections.users.findOne({ _id: userId });

  it('list all accounts', async () => {
    const { email } = await world.somebody();
    const { status, html } = await admin.get('/admin/users?limit=500');
    expect(status).to.equal(200);
    expect(html).to.include(email).and.to.include(admin.email).and.to.include('(you)').and.not.to.include('scrypt');
  });

  it('create an account, and show errors', async () => {
    const email = `${randomId()}@example.test`;
    const fields = { email, name: '<i>Grace', password: 'a first password', isAdmin: 'true' };
    const made = await admin.send('/admin/users/new', fields);
    expect([made.status, made.location]).to.deep.equal([303, '/admin/users']);
    expect(await world.real.collections.users.findOne({ email })).to.deep.include({ isAdmin: true, name: '<i>Grace' });
    expect((await admin.get('/admin/users?limit=500')).html).to.include('&lt;i>Grace');

    const taken = await admin.send('/admin/users/new', fields);
    expect(taken.status).to.equal(409);
    expect(taken.html)
      .to.match(/id="email-problem">An account with this email address/)
      .and.not.to.include('a first password');
    const short = await admin.send('/admin/users/new', { email: 'x', name: '', password: 'short' });
    expect(short.html).to.match(/id="email-problem">Must be an email address/);
    const weak = await admin.send('/admin/users/new', { email: `${randomId()}@example.test`, password: 'short' });
    expect(weak.html).to.match(/id="password-problem">The password must have 12 to 200 characters/);
  });

  it('confirm, then grant and remove the admin role', async () => {
    const { userId, email } = await world.somebody();
    expect((await admin.get(`/admin/users/${userId}/make-admin`)).html).to.include(`Make ${email} an admin?`);
    expect((await admin.send(`/admin/users/${userId}/make-admin`)).location).to.equal('/admin/users');
    expect((await find(userId))!.isAdmin).to.equal(true);
    await admin.send(`/admin/users/${userId}/take-admin`);
    expect((await find(userId))!.isAdmin).to.equal(false);
  });

  it('disable an account and enable it again', async () => {
    const person = await world.somebody();
    await admin.send(`/admin/users/${person.userId}/disable`);
    expect((await person.get('/')).location).to.match(/^\/sign-in/);
    expect((await admin.get('/admin/users?limit=500')).html).to.include('>disabled<');
    await admin.send(`/admin/users/${person.userId}/enable`);
    expect(await find(person.userId)).not.to.have.property('disabledAt');
  });

  it('return 404 for an unknown ID, and are restricted to admins', async () => {
    expect((await admin.get(`/admin/users/${randomId()}/disable`)).status).to.equal(404);
    const { send } = await world.somebody();
    expect((await send(`/admin/users/${admin.userId}/disable`)).status).to.equal(403);
  });

  it('keep the last admin, and explain this in the confirmation', async () => {
    const { users } = world.real.collections;
    const others = { isAdmin: true, _id: { $ne: admin.userId } };
    const ids = (await users.find(others).toArray()).map(({ _id }) => _id);
    await users.updateMany({ _id: { $in: ids } }, { $set: { isAdmin: false } });
    const refused = await admin.send(`/admin/users/${admin.userId}/take-admin`);
    expect(refused.status).to.equal(409);
    expect(refused.html).to.include('The instance needs at least one admin').and.to.include('Remove admin role');
  });

  it('show all audit entries, filtered by action', async () => {
    const { userId, email } = await world.somebody();
    await admin.send(`/admin/users/${userId}/disable`);
    const { html } = await admin.get('/admin/audit?action=user.change');
    expect(html).to.include('updated an account').and.to.include(email).and.to.include('disabled: yes');
    expect(html).to.match(/<option[^>]*selected[^>]*>updated an account/);
    expect(html).not.to.match(/<span title="user.create"/);
  });
});
