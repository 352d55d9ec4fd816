import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { CLIENT, startProvider, type TestProvider } from '#test/support/oidc.js';
import { addPerson } from '#test/support/people.js';
import { PUBLIC_URL, realServer, type RealServer } from '#test/support/servers/real-server.js';
import { withClockAhead } from '#test/support/with-clock-ahead.js';
import { cookiesOf } from './asking.js';

describe('sign-in with an OpenID Connect provider', () => {
  let real: RealServer;
  let provider: TestProvider;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    provider = await startProvider(`${PUBLIC_URL}/auth/oidc/callback`);
    real = await realServer({
      RUNHOOK_OIDC_ISSUER: provider.issuer,
      RUNHOOK_OIDC_CLIENT_ID: CLIENT.id,
      RUNHOOK_OIDC_CLIENT_SECRET: CLIENT.secret,
      RUNHOOK_OIDC_NAME: 'Acme',
      RUNHOOK_OIDC_SIGN_UP: 'true',
    });
  });
  after(async () => {
    await real?.close();
    await provider?.stop();
  });

  const get = (url: string, cookie = '') => real.server.inject({ url, headers: { accept: 'text/html', cookie } });
  const pathOf = (url: string) => url.slice(PUBLIC_URL.length);
  const userOf = async (cookie: string) => {
    const { payload } = await real.server.inject({ url: '/api/v2/me/', headers: { cookie } });
    return JSON.parse(payload) as { userId: string; email: string; name: string };
  };

  async function signIn(login: string, next = '/') {
    const started = await get(`/auth/oidc/start?next=${encodeURIComponent(next)}`);
    expect(started.statusCode, started.payload).to.equal(303);
    const back = await provider.signIn(String(started.headers.location), login);
    return { back, trip: cookiesOf(started), answer: await get(pathOf(back), cookiesOf(started)) };
  }

  it('creates an account, and finds it again by its identity after the email has changed', async () => {
    expect((await get('/sign-in')).payload).to.include('Sign in with Acme');
    const login = randomId();
    provider.accounts.set(login, { email: `${login}@acme.test`, email_verified: true, name: 'Ada' });
    const { answer } = await signIn(login, '/runs/x?y=1');
    expect([answer.statusCode, answer.headers.location]).to.deep.equal([303, '/runs/x?y=1']);
    const user = await userOf(cookiesOf(answer));
    expect(user).to.include({ email: `${login}@acme.test`, name: 'Ada' });

    provider.accounts.set(login, { email: 'changed@acme.test', email_verified: true });
    expect((await userOf(cookiesOf((await signIn(login)).answer))).userId).to.equal(user.userId);
  });

  it('removes invisible characters from the provider’s name', async () => {
    const login = randomId();
    provider.accounts.set(login, { email: `${login}@acme.test`, email_verified: true, name: ' \u202eA\u200bda\n ' });
    expect(await userOf(cookiesOf((await signIn(login)).answer))).to.include({ name: 'Ada' });
  });

  it('links the account with the same email if the provider has verified it', async () => {
    const { email, userId, tokenHeaders, sessionHeaders } = await addPerson(real.collections);
    await real.collections.users.updateOne({ _id: userId }, { $set: { passwordHash: 'of its creator' } });
    const login = randomId();
    provider.accounts.set(login, { email, email_verified: false });
    const refused = (await signIn(login)).answer;
    expect(refused.statusCode).to.equal(401);
    expect(refused.payload).to.include('not have an account here');
    provider.accounts.set(login, { email, email_verified: true });
    expect((await userOf(cookiesOf((await signIn(login)).answer))).userId).to.equal(userId);
    // The email was unverified until now: earlier credentials of the account stop working.
    for (const headers of [tokenHeaders, sessionHeaders])
      expect((await real.server.inject({ url: '/api/v2/me/', headers })).statusCode).to.equal(401);
    expect(await real.collections.users.findOne({ _id: userId })).to.not.have.property('passwordHash');

    const other = randomId();
    provider.accounts.set(other, { email, email_verified: true });
    expect((await signIn(other)).answer.statusCode, 'another identity with this email').to.equal(401);
    await real.collections.users.updateOne({ _id: userId }, { $set: { disabledAt: new Date() } });
    expect((await signIn(login)).answer.statusCode, 'disabled').to.equal(401);
  });

  it('accepts a response once, and only in the browser that started the sign-in', async () => {
    const login = randomId();
    provider.accounts.set(login, { email: `${login}@acme.test`, email_verified: true });
    const { back, trip } = await signIn(login);
    expect((await get(pathOf(back), trip)).statusCode, 'a code used again').to.equal(401);
    expect((await get(pathOf(back))).statusCode, 'another browser').to.equal(401);
    const others = cookiesOf(await get('/auth/oidc/start'));
    expect((await get(pathOf(back), others)).statusCode, 'another start').to.equal(401);
    expect((await get('/auth/oidc/callback?error=access_denied', trip)).statusCode).to.equal(401);
  });

  it('allows the same time at the provider if the clock of the server that started the sign-in is slow', async () => {
    const login = randomId();
    provider.accounts.set(login, { email: `${login}@acme.test`, email_verified: true });
    const started = await withClockAhead(-3_600_000, () => get('/auth/oidc/start'));
    const back = await provider.signIn(String(started.headers.location), login);
    expect((await get(pathOf(back), cookiesOf(started))).statusCode).to.equal(303);
  });

  it('reports that the provider is unavailable', async () => {
    const unavailable = await realServer({
      RUNHOOK_OIDC_ISSUER: 'http://127.0.0.1:9',
      RUNHOOK_OIDC_CLIENT_ID: CLIENT.id,
      RUNHOOK_OIDC_CLIENT_SECRET: CLIENT.secret,
    });
    const answer = await unavailable.server.inject('/auth/oidc/start');
    await unavailable.close();
    expect(answer.statusCode).to.equal(503);
    expect(answer.payload).to.include('is not responding');
    expect(answer.headers['retry-after']).to.equal('10');
  });
}).timeout(60_000);
