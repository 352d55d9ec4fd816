import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';
import { ask } from './asking.js';

describe('users and accounts', () => {
  let real: RealServer;
  let admin: TestPerson;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
    admin = await addPerson(real.collections, { isAdmin: true });
  });
  after(() => real.close());

  const api = (method: string, path: string, headers: object, body?: object) =>
    ask(real.server, method, path, { headers, ...(body ? { body } : {}) });

  it('are created by an admin, once per key', async () => {
    const email = `${randomId()}@example.test`;
    const headers = { ...admin.tokenHeaders, 'idempotency-key': 'make' };
    const input = { email: email.toUpperCase(), password: 'first password' };
    const created = await api('POST', '/users/', headers, input);
    expect(created.status).to.equal(201);
    expect(created.body).to.deep.include({ email, isAdmin: false, disabled: false, lastSignInAt: null });
    expect((await api('POST', '/users/', headers, input)).body).to.deep.equal(created.body);
    const other = { ...input, password: 'other password' };
    expect((await api('POST', '/users/', headers, other)).status).to.equal(422);
    expect((await api('POST', '/users/', admin.tokenHeaders, input)).body.code).to.equal('email_taken');
    const same = await api('POST', '/users/', admin.tokenHeaders, {
      email: 'long.name@example.test',
      password: 'LONG.name@example.test',
    });
    expect(same.body.fields).to.deep.equal([
      { field: 'password', message: 'The password must not be your email address.' },
    ]);
  });

  it('have visible names, including the joiners of their language', async () => {
    const person = await addPerson(real.collections);
    const make = (name: string) =>
      api('POST', '/users/', admin.tokenHeaders, {
        email: `${randomId()}@example.test`,
        name,
        password: 'long enough a',
      });
    const rename = (name: string) => api('PATCH', '/me/', person.sessionHeaders, { name });
    for (const name of ['\u200b', '\u200c', '\u202eada', 'A\u200bda', 'Ada\nLovelace'])
      for (const { status, body } of [await make(name), await rename(name)])
        expect([status, body.fields?.[0].field], JSON.stringify(name)).to.deep.equal([400, 'name']);
    for (const name of ['', 'Zoë', 'علی\u200cرضا', 'क्\u200dष']) {
      expect((await make(name)).status, name).to.equal(201);
      expect((await rename(name)).status, name).to.be.oneOf([200, 204]);
    }
  });

  it('are listed by email, in pages', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/users/?limit=2';
    while (path) {
      const { body } = await api('GET', path, admin.tokenHeaders);
      seen.push(...body.results.map(({ email }: { email: string }) => email));
      path = body.next?.slice('http://runhook.test/api/v2'.length);
    }
    expect(seen).to.deep.equal(seen.toSorted()).and.to.include(admin.email);
    expect(seen).to.have.length(await real.collections.users.countDocuments());
  });

  it('are disabled: their credentials stop working', async () => {
    const { userId, tokenHeaders, sessionHeaders } = await addPerson(real.collections);
    const disabled = await api('PATCH', `/users/${userId}/`, admin.sessionHeaders, { disabled: true });
    expect(disabled.body.disabled).to.equal(true);
    for (const headers of [tokenHeaders, sessionHeaders])
      expect((await api('GET', '/me/', headers)).status).to.equal(401);
    await api('PATCH', `/users/${userId}/`, admin.sessionHeaders, { disabled: false });
    expect((await api('GET', '/me/', tokenHeaders)).status).to.equal(200);
    expect((await api('GET', '/me/', sessionHeaders)).status, 'its sessions have ended').to.equal(401);
  });

  it('have no valid session from before their credentials changed, even one that is written later', async () => {
    const { sessions } = real.collections;
    const email = `${randomId()}@example.test`;
    const created = await api('POST', '/users/', admin.sessionHeaders, { email, password: 'first password' });
    const signIn = () => api('POST', '/auth/sign-in/', {}, { email, password: 'first password' });
    const [here, elsewhere] = [await signIn(), await signIn()];
    const me = (cookie: string) => api('GET', '/me/', { cookie });
    /** Like a sign-in in progress while the others were removed. */
    const late = await sessions.find({ userId: created.body.id }).sort({ createdAt: -1 }).limit(1).next();
    const headers = { cookie: here.cookies, 'x-csrf-token': here.body.csrfToken };
    const change = { currentPassword: 'first password', newPassword: 'second password' };
    expect((await api('PUT', '/me/password/', headers, change)).status).to.equal(204);
    await sessions.insertOne(late!);
    expect((await me(elsewhere.cookies)).status).to.equal(401);
    expect((await me(here.cookies)).status).to.equal(200);

    const kept = (await sessions.findOne({ userId: created.body.id, _id: { $ne: late!._id } }))!;
    const disable = (disabled: boolean) =>
      api('PATCH', `/users/${created.body.id}/`, admin.sessionHeaders, { disabled });
    await disable(true);
    await disable(false);
    await sessions.insertOne(kept);
    expect((await me(here.cookies)).status).to.equal(401);
  });

  it('keep sessions of versions without a credential version until their credentials change', async () => {
    const { userId, sessionHeaders } = await addPerson(real.collections);
    expect(await real.collections.sessions.findOne({ userId })).not.to.have.property('credentialVersion');
    expect((await api('GET', '/me/', sessionHeaders)).status).to.equal(200);
    await real.collections.users.updateOne({ _id: userId }, { $inc: { credentialVersion: 1 } });
    expect((await api('GET', '/me/', sessionHeaders)).status).to.equal(401);
  });

  it('keep the last admin', async () => {
    const others = await real.collections.users
      .find({ isAdmin: true, disabledAt: { $exists: false }, _id: { $ne: admin.userId } })
      .toArray();
    for (const { _id } of others) await real.collections.users.updateOne({ _id }, { $set: { disabledAt: new Date() } });
    for (const change of [{ disabled: true }, { isAdmin: false }]) {
      const { status, body } = await api('PATCH', `/users/${admin.userId}/`, admin.tokenHeaders, change);
      expect([status, body.code]).to.deep.equal([409, 'last_admin']);
    }
    expect((await api('GET', '/users/', admin.tokenHeaders)).status).to.equal(200);
    expect((await api('GET', '/users/', admin.sessionHeaders)).status, 'and the session').to.equal(200);
    for (const { _id } of others) await real.collections.users.updateOne({ _id }, { $unset: { disabledAt: '' } });
  });

  it('change their password, which ends their other sessions', async () => {
    const email = `${randomId()}@example.test`;
    await api('POST', '/users/', admin.tokenHeaders, { email, password: 'first password' });
    const signIn = (password: string) => api('POST', '/auth/sign-in/', {}, { email, password });
    const [here, elsewhere] = [await signIn('first password'), await signIn('first password')];
    const headers = { cookie: here.cookies, 'x-csrf-token': here.body.csrfToken };
    const change = (currentPassword: string, newPassword: string) =>
      api('PUT', '/me/password/', headers, { currentPassword, newPassword });
    expect((await change('wrong', 'second password')).body.fields[0].field).to.equal('currentPassword');
    expect((await change('first password', 'short')).body.fields[0].field).to.equal('newPassword');
    expect((await change('first password', 'second password')).status).to.equal(204);
    expect((await api('GET', '/me/', { cookie: elsewhere.cookies })).status).to.equal(401);
    expect((await api('GET', '/me/', headers)).status).to.equal(200);
    expect((await signIn('first password')).status).to.equal(401);
    expect((await signIn('second password')).status).to.equal(200);
    const stored = JSON.stringify([await real.collections.audit.find().toArray(), real.logged]);
    expect(stored).not.to.include('first password').and.not.to.include('second password');
  });

  it('end one of their sessions', async () => {
    const { userId, sessionHeaders } = await addPerson(real.collections);
    const other = await addPerson(real.collections);
    await real.collections.sessions.updateOne({ userId: other.userId }, { $set: { userId } });
    const list = (await api('GET', '/me/sessions/', sessionHeaders)).body.results;
    expect(list).to.have.length(2);
    const otherSession = list.find(({ current }: { current: boolean }) => !current);
    expect((await api('DELETE', `/me/sessions/${otherSession.id}/`, sessionHeaders)).status).to.equal(204);
    expect((await api('GET', '/me/', other.sessionHeaders)).status).to.equal(401);
  });
}).timeout(60_000);
