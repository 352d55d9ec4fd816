import { expect } from 'chai';
import { TooManyError } from '#src/domain/errors.js';
import { randomId } from '#src/domain/ids.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { addPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';
import { createSignInThrottle } from '#src/services/people/sign-in-throttle.js';
import { withClockAhead } from '#test/support/with-clock-ahead.js';
import { ask } from './asking.js';

const DAY_MS = 24 * 3_600_000;
const PASSWORD = 'correct horse battery';

describe('sign-in', () => {
  let real: RealServer;
  let passwordHash: string;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
    passwordHash = await createPasswordHasher().hash(PASSWORD);
  });
  after(() => real.close());

  async function aPerson() {
    const person = await addPerson(real.collections);
    await real.collections.users.updateOne({ _id: person.userId }, { $set: { passwordHash } });
    return person;
  }
  const signIn = (email: string, password: string, more: { headers?: object; address?: string } = {}) =>
    ask(real.server, 'POST', '/auth/sign-in/', { body: { email, password }, ...more });

  it('opens a session; changes require its CSRF token; signing out ends it', async () => {
    const { email, userId } = await aPerson();
    const signedIn = await signIn(email.toUpperCase(), PASSWORD);
    expect(signedIn.status).to.equal(200);
    expect(signedIn.body).to.include({ email, userId, type: 'person' });
    const cookie = [signedIn.headers['set-cookie']].flat().find((one) => one!.startsWith('runhook_session='))!;
    expect(cookie)
      .to.match(/HttpOnly/)
      .and.match(/SameSite=Lax/)
      .and.match(/Path=\//)
      .and.match(/Max-Age=1209600/);

    const session = { cookie: signedIn.cookies };
    expect((await ask(real.server, 'GET', '/me/', { headers: session })).body.userId).to.equal(userId);
    const without = await ask(real.server, 'PATCH', '/me/', { headers: session, body: { name: 'Ada' } });
    expect(without.status).to.equal(403);
    const headers = { ...session, 'x-csrf-token': signedIn.body.csrfToken };
    expect((await ask(real.server, 'PATCH', '/me/', { headers, body: { name: 'Ada' } })).body.name).to.equal('Ada');

    const signedOut = await ask(real.server, 'POST', '/auth/sign-out/', { headers });
    expect(signedOut.status).to.equal(204);
    expect(String(signedOut.headers['set-cookie'])).to.match(/runhook_session=;.*Max-Age=0/);
    expect((await ask(real.server, 'GET', '/me/', { headers: session })).status).to.equal(401);
  });

  it('sets cookies for HTTPS and this host only, behind HTTPS', async () => {
    const { email } = await aPerson();
    const secure = await realServer({ RUNHOOK_PUBLIC_URL: 'https://runhook.test' });
    try {
      const body = { email, password: PASSWORD };
      const { headers, cookies } = await ask(secure.server, 'POST', '/auth/sign-in/', { body });
      const all = [headers['set-cookie'] ?? []].flat();
      expect(all).to.have.length(2);
      for (const cookie of all) expect(cookie).to.match(/; Secure/);
      expect(cookies).to.match(/^__Host-runhook_session=rhse_/);
      expect((await ask(secure.server, 'GET', '/me/', { headers: { cookie: cookies } })).body.email).to.equal(email);
      // The same session with the name for HTTP, and the reverse.
      const plain = { cookie: cookies.replaceAll('__Host-', '') };
      expect((await ask(secure.server, 'GET', '/me/', { headers: plain })).status).to.equal(401);
      expect((await ask(real.server, 'GET', '/me/', { headers: { cookie: cookies } })).status).to.equal(401);
      expect((await ask(real.server, 'GET', '/me/', { headers: plain })).body.email).to.equal(email);
    } finally {
      await secure.close();
    }
  });

  it('rejects a wrong password, an unknown email and a disabled person with the same response', async () => {
    const known = await aPerson();
    const disabled = await aPerson();
    await real.collections.users.updateOne({ _id: disabled.userId }, { $set: { disabledAt: new Date() } });
    const headers = { 'x-request-id': 'same' };
    const answers = [
      await signIn(known.email, 'wrong horse battery', { headers }),
      await signIn('nobody@example.test', PASSWORD, { headers }),
      await signIn(disabled.email, PASSWORD, { headers }),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).to.have.property('size', 1);
    const noted = await real.collections.audit.find({ action: 'session.refuse' }).toArray();
    expect(noted.map(({ target }) => target?.name)).to.include.members([known.email, disabled.email, undefined]);
    expect(JSON.stringify(noted)).not.to.include('horse').and.not.to.include('nobody@');
  });

  it('rejects requests of another site', async () => {
    const { email } = await aPerson();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
    ])
      expect((await signIn(email, PASSWORD, { headers })).status, JSON.stringify(headers)).to.equal(403);
    expect((await signIn(email, PASSWORD, { headers: { origin: 'http://runhook.test' } })).status).to.equal(200);
  });

  it('allows five guesses per network, and the owner from another one', async () => {
    const { email } = await aPerson();
    const attacker = { address: '192.0.2.1' };
    for (let guess = 0; guess < 5; guess++)
      expect((await signIn(email, `wrong password ${guess}`, attacker)).status).to.equal(401);
    const refused = await signIn(email, PASSWORD, attacker);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 900);
    expect((await signIn(email, PASSWORD, { address: '192.0.2.2' })).status).to.equal(200);
  });

  it('blocks for the same time on another server whose clock is fast', async () => {
    const { email } = await aPerson();
    const attempt = { email, address: '192.0.2.55', isKnownAddress: false };
    const throttle = createSignInThrottle(real.collections);
    for (let guess = 0; guess < 5; guess++) await throttle.begin(attempt);
    const next = createSignInThrottle(real.collections);
    const error = await withClockAhead(DAY_MS, () => next.begin(attempt)).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TooManyError);
    expect((error as TooManyError).retryAfterSeconds).to.be.within(1, 900);
  });

  it('starts a new count after the window', async () => {
    const { signInLimits } = real.collections;
    const attempt = { email: `${randomId()}@example.test`, address: '192.0.2.56', isKnownAddress: true };
    const throttle = createSignInThrottle(real.collections);
    for (let guess = 0; guess < 5; guess++) await throttle.begin(attempt);
    const { clock } = await testDatabase();
    await signInLimits.updateMany({ expire: { $gt: clock.now() } }, { $set: { expire: clock.now() } });
    await throttle.begin(attempt);
    await throttle.removeExpired(clock.now());
    expect(await signInLimits.countDocuments({ expire: { $lte: clock.now() } })).to.equal(0);
  });

  it('lets in the owner’s browser and address while many networks guess', async () => {
    const { email } = await aPerson();
    const home = { address: '198.51.100.1' };
    const { cookies } = await signIn(email, PASSWORD, home);
    const device = cookies.split('; ').find((one) => one.startsWith('runhook_device='));
    const throttle = createSignInThrottle(real.collections);
    for (let at = 1; at <= 20; at++) await throttle.begin({ email, address: `203.0.113.${at}`, isKnownAddress: false });
    // Strangers are blocked even with the right password; the owner's devices and addresses are not.
    expect((await signIn(email, PASSWORD, { address: '203.0.113.99' })).status).to.equal(429);
    expect((await signIn(email, PASSWORD, home)).status).to.equal(200);
    const abroad = { address: '203.0.113.50', headers: { cookie: device } };
    expect((await signIn(email, PASSWORD, abroad)).status).to.equal(200);
    const forged = { address: '203.0.113.51', headers: { cookie: `${device}x` } };
    expect((await signIn(email, PASSWORD, forged)).status).to.equal(429);
  });

  it('counts concurrent guesses', async () => {
    const { email } = await aPerson();
    const guesses = Array.from({ length: 8 }, (_, n) => signIn(email, `wrong ${n}`, { address: '192.0.2.77' }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.length.at.most(5);
    expect(statuses.filter((status) => status === 429)).to.have.length.at.least(3);
  });

  it('ends a session after its maximum lifetime, even if it is used', async () => {
    const { sessionHeaders, userId } = await aPerson();
    const { sessions } = real.collections;
    const me = () => ask(real.server, 'GET', '/me/', { headers: sessionHeaders });
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    await sessions.updateOne({ userId }, { $set: { createdAt: ago(29), lastSeenAt: ago(1) } });
    expect((await me()).status).to.equal(200);
    const end = ago(29).getTime() + 30 * DAY_MS;
    await eventually(async () => {
      const { lastSeenAt, expiresAt } = (await sessions.findOne({ userId }))!;
      if (lastSeenAt.getTime() < ago(0.5).getTime()) return undefined;
      expect(expiresAt.getTime()).to.be.at.most(end);
      return true;
    });
    // The server's estimate of the database's clock may be some ms behind this process's clock.
    await sessions.updateOne({ userId }, { $set: { createdAt: ago(30.01), expiresAt: ago(-1) } });
    expect((await me()).status).to.equal(401);
  });

  it('renews the cookie once it is a day old', async () => {
    const { sessionHeaders, userId } = await aPerson();
    const me = () => ask(real.server, 'GET', '/me/', { headers: sessionHeaders });
    expect((await me()).cookies).to.equal('');
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await real.collections.sessions.updateOne({ userId }, { $set: { createdAt: yesterday } });
    expect((await me()).cookies).to.equal(sessionHeaders.cookie);
  });
}).timeout(30_000);
