import { expect } from 'chai';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';
import { randomId } from '#src/domain/ids.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { addPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';
import { cookiesOf } from '#test/src/server/people/asking.js';

const PASSWORD = 'a long password';
const BROWSER = { accept: 'text/html' };

describe('sign-in pages', () => {
  let real: RealServer;
  let email: string;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
    const person = await addPerson(real.collections);
    ({ email } = person);
    const passwordHash = await createPasswordHasher().hash(PASSWORD);
    await real.collections.users.updateOne({ _id: person.userId }, { $set: { passwordHash } });
  });
  after(() => real.close());

  const get = (url: string, headers: object = {}) => real.server.inject({ url, headers: { ...BROWSER, ...headers } });
  const send = (url: string, fields: Record<string, string>, headers: object = {}) =>
    real.server.inject({
      method: 'POST',
      url,
      headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });

  it('sign a browser in, redirect to the requested page, show the person, and sign out', async () => {
    const led = await get('/?x=1');
    expect([led.statusCode, led.headers.location]).to.deep.equal([303, '/sign-in?next=%2F%3Fx%3D1']);
    const form = await get(String(led.headers.location));
    expect(form.payload).to.include('name="next" value="/?x=1"');
    expect(form.headers['content-security-policy']).to.include("form-action 'self'");
    expect(form.headers['referrer-policy']).to.equal('same-origin');

    const signedIn = await send('/sign-in', { email, password: PASSWORD, next: '/?x=1' });
    expect([signedIn.statusCode, signedIn.headers.location]).to.deep.equal([303, '/?x=1']);
    const cookie = cookiesOf(signedIn);
    const home = await get('/', { cookie });
    expect(home.statusCode).to.equal(200);
    expect(home.payload).to.include(email).and.to.include('action="/sign-out"');
    expect((await get('/sign-in?next=/x', { cookie })).headers.location).to.equal('/x');

    expect((await send('/sign-out', {}, { cookie })).statusCode, 'without the CSRF token').to.equal(403);
    const csrf = /name="_csrf" value="([^"]+)"/.exec(home.payload)![1]!;
    expect((await send('/sign-out', { _csrf: csrf }, { cookie })).headers.location).to.equal('/sign-in');
    expect((await get('/', { cookie })).statusCode).to.equal(303);
  });

  it('show the error, without the password', async () => {
    const refused = await send('/sign-in', { email, password: 'not <b>this</b>', next: '/' });
    expect(refused.statusCode).to.equal(401);
    expect(refused.payload).to.include('The email address or password is wrong.').and.to.include(email);
    expect(refused.payload).not.to.include('not &lt;b');
    const elsewhere = await send('/sign-in', { email, password: PASSWORD }, { 'sec-fetch-site': 'cross-site' });
    expect(elsewhere.statusCode).to.equal(403);
    expect(elsewhere.headers['set-cookie']).to.equal(undefined);
    for (let at = 0; at < 5; at++) await send('/sign-in', { email, password: 'wrong', next: '/' });
    const late = await send('/sign-in', { email, password: PASSWORD, next: '/' });
    expect(late.statusCode).to.equal(429);
    expect(Number(late.headers['retry-after'])).to.be.greaterThan(0);
  });

  for (const next of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/a b', ''])
    it(`do not redirect to another site: ${JSON.stringify(next)}`, async () => {
      const { payload } = await get(`/sign-in?next=${encodeURIComponent(next)}`);
      expect(payload).to.include('name="next" value="/"');
    });

  it('accept an invitation', async () => {
    const projectId = randomId();
    await real.collections.projects.insertOne({
      _id: projectId,
      name: 'Shop <1>',
      slug: projectId,
      revision: 1,
      createdAt: new Date(),
    });
    const owner = await addPerson(real.collections, { roles: { [projectId]: 'owner' } });
    const invite = async (email = 'grace@example.test') => {
      const { payload } = await real.server.inject({
        method: 'POST',
        url: `/api/v2/projects/${projectId}/invitations/`,
        headers: owner.tokenHeaders,
        payload: { role: 'viewer', email },
      });
      return new URL((JSON.parse(payload) as { url: string }).url).pathname;
    };
    const path = await invite();
    const page = await get(path);
    expect(page.payload).to.include('Join Shop &lt;1>').and.to.include('value="grace@example.test"');
    const wrong = await send(path, { name: 'Grace', email: 'grace@example.test', password: 'short' });
    expect([wrong.statusCode, wrong.payload.includes('12 to 200 characters')]).to.deep.equal([400, true]);
    const joined = await send(path, { name: 'Grace', email: 'grace@example.test', password: PASSWORD });
    expect(joined.statusCode).to.equal(303);
    expect((await get('/', { cookie: cookiesOf(joined) })).payload).to.include('grace@example.test');
    expect((await get(path)).statusCode).to.equal(404);

    const { sessionHeaders, email: other } = await addPerson(real.collections);
    const someoneElses = await get(await invite(), { cookie: sessionHeaders.cookie });
    expect(someoneElses.payload).to.include('for grace@example.test').and.not.to.include('Join as');
    const second = await invite(other);
    const { payload } = await get(second, { cookie: sessionHeaders.cookie });
    expect(payload).to.include(`Join as ${other}`);
    const sent = await send(second, { _csrf: sessionHeaders['x-csrf-token'] }, { cookie: sessionHeaders.cookie });
    expect(sent.statusCode).to.equal(303);
    expect(JSON.stringify(real.logged)).not.to.include(path);
  });
}).timeout(60_000);
