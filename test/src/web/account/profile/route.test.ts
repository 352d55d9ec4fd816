import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { pageBrowser } from '#test/support/servers/page-browser.js';
import { addPerson } from '#test/support/people.js';
import type { RealServer } from '#test/support/servers/real-server.js';
import { awakeServer } from '#test/support/servers/awake-server.js';

const PASSWORD = 'a long password of hers';

describe('profile', () => {
  let real: RealServer;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await awakeServer();
  });
  after(() => real.close());

  async function somebody() {
    const person = await addPerson(real.collections);
    return { ...person, ...pageBrowser(real.server, person) };
  }

  const addSession = async (userId: string, address: string) => {
    const now = new Date();
    const id = randomId();
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 <b>';
    const times = { createdAt: now, lastSeenAt: now, expiresAt: new Date(now.getTime() + 3_600_000) };
    await real.collections.sessions.insertOne({ _id: id, id, userId, address, userAgent, ...times });
    return id;
  };

  it('shows the account, and changes the name', async () => {
    const { email, get, send } = await somebody();
    const before = await get('/profile');
    expect(before.headers['cache-control']).to.equal('no-store');
    expect(before.html).to.include(email).and.to.include('Member of projects').and.to.include('value="Somebody"');
    const sent = await send('/profile/name', { name: ' Ada <i> ' });
    expect([sent.status, sent.location]).to.deep.equal([303, '/profile']);
    expect((await get('/profile')).html).to.include('value="Ada &lt;i>"');
    const wrong = await send('/profile/name', { name: 'x'.repeat(101) });
    expect(wrong.status).to.equal(400);
    expect(wrong.html).to.match(/id="name-problem">[^<]*100/);
    expect(wrong.html).to.include(`value="${'x'.repeat(101)}"`);
  });

  it('changes the password with the current one, and ends the other sessions', async () => {
    const { userId, get, send } = await somebody();
    const passwordHash = await createPasswordHasher().hash(PASSWORD);
    await real.collections.users.updateOne({ _id: userId }, { $set: { passwordHash } });
    await addSession(userId, '10.1.2.3');
    const wrong = await send('/profile/password', { currentPassword: 'guessed it', newPassword: 'a longer password' });
    expect(wrong.status).to.equal(400);
    expect(wrong.html).to.match(/id="currentPassword-problem">The current password is wrong/);
    expect(wrong.html).not.to.include('guessed it').and.not.to.include('a longer password');
    const short = await send('/profile/password', { currentPassword: PASSWORD, newPassword: 'short' });
    expect(short.html).to.match(/id="newPassword-problem">The password must have 12/);
    const empty = await send('/profile/password', { currentPassword: PASSWORD });
    expect(empty.html).to.match(/id="newPassword-problem">Enter the new password/);
    const sent = await send('/profile/password', { currentPassword: PASSWORD, newPassword: 'a longer password' });
    expect([sent.status, sent.location]).to.deep.equal([303, '/profile']);
    expect(await real.collections.sessions.countDocuments({ userId })).to.equal(1);
    expect((await get('/profile')).status).to.equal(200);
  });

  it('does not ask for a current password if there is none', async () => {
    const { get } = await somebody();
    const { html } = await get('/profile');
    expect(html).to.include('Set password').and.not.to.include('currentPassword');
  });

  it('lists the sessions, and ends one after confirmation', async () => {
    const { userId, get, send } = await somebody();
    const id = await addSession(userId, '10.1.2.3');
    const { html } = await get('/profile/sessions');
    expect(html).to.include('Firefox on Linux').and.to.include('10.1.2.3').and.to.include('This session');
    expect(html).not.to.include('<b>');
    expect((await get(`/profile/sessions/${id}/end`)).html).to.include('Sign out Firefox on Linux?');
    expect((await send(`/profile/sessions/${id}/end`)).location).to.equal('/profile/sessions');
    expect((await get('/profile/sessions')).html).not.to.include('10.1.2.3');
    expect((await get(`/profile/sessions/${id}/end`)).status).to.equal(404);
  });

  it('shows a new API token once, and revokes it', async () => {
    const { userId, get, send } = await somebody();
    const made = await send('/profile/tokens', { name: 'CI <i>', scopes: ['read', 'run'], lifetime: '90' });
    expect([made.status, made.headers['cache-control']]).to.deep.equal([200, 'no-store']);
    const token = /rhat_\w+/.exec(made.html)![0];
    const call = () => real.server.inject({ url: '/api/v2/me/', headers: { authorization: `Token ${token}` } });
    expect((await call()).statusCode).to.equal(200);
    expect((await get('/profile/tokens')).html)
      .to.include('CI &lt;i>')
      .and.not.to.include('rhat_');
    const { id } = (await real.collections.apiTokens.findOne({ userId, name: 'CI <i>' }))!;
    expect((await get(`/profile/tokens/${id}/revoke`)).html).to.include('Revoke the token “CI &lt;i>”?');
    expect((await send(`/profile/tokens/${id}/revoke`)).location).to.equal('/profile/tokens');
    expect((await call()).statusCode).to.equal(401);
    const wrong = await send('/profile/tokens', { name: '', lifetime: '30' });
    expect(wrong.status).to.equal(400);
    expect(wrong.html).to.include('id="name-problem"').and.to.include('id="scopes-problem"');
  });

  it('rejects other people’s resources, and API tokens', async () => {
    const [one, other] = [await somebody(), await somebody()];
    const session = await addSession(other.userId, '10.9.9.9');
    const { id: token } = (await real.collections.apiTokens.findOne({ userId: other.userId }))!;
    for (const path of [`/profile/sessions/${session}/end`, `/profile/tokens/${token}/revoke`]) {
      expect((await one.get(path)).status).to.equal(404);
      expect((await one.send(path)).status).to.equal(404);
    }
    const byToken = await real.server.inject({
      url: '/profile',
      headers: { ...one.tokenHeaders, accept: 'text/html' },
    });
    expect(byToken.statusCode).to.equal(403);
  });
});
