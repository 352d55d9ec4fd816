import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { ensureWebhookToken } from '#src/db/tokens/webhook-tokens.js';
import { randomId } from '#src/domain/ids.js';
import { hashOfToken, looksLikeToken } from '#src/domain/tokens/token-format.js';
import { createTokenServices } from '#src/services/tokens/token-services.js';
import { apiServer, SECRET_KEYS } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

const HOUR = 3_600_000;

interface Shown {
  number: number;
  token: string | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  allowedNetworks: string[] | null;
  testUrl: string | null;
}

describe('API: tokens', () => {
  let collections: Collections;
  let server: Server;
  let projectId: string;
  let owner: TestPerson;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    server = await apiServer(collections, (services) => ({ tokens: createTokenServices(services) }));
  });

  beforeEach(async () => {
    projectId = randomId();
    await collections.projects.insertOne({
      _id: projectId,
      name: 'P',
      slug: projectId,
      createdAt: new Date(),
      revision: 1,
    });
    await ensureWebhookToken(collections.webhookTokens, SECRET_KEYS, projectId);
    owner = await addPerson(collections, { roles: { [projectId]: 'owner' } });
  });

  async function call<T>(method: string, path: string, payload?: object, headers: Record<string, string> = {}) {
    const { statusCode, result } = await server.inject({
      method,
      url: `/api/v2${path}`,
      headers: { ...owner.sessionHeaders, ...headers },
      ...(payload ? { payload } : {}),
    });
    return { status: statusCode, body: result as T };
  }
  it('require visible names', async () => {
    for (const path of ['/me/tokens/', `/projects/${projectId}/tokens/`]) {
      for (const name of ['\u200b', 'C\u200bI', '\u202eCI', 'C\nI']) {
        const made = await call<{ fields: { field: string }[] }>('POST', path, { name, scopes: ['read'] });
        expect([made.status, made.body.fields?.[0]?.field], JSON.stringify(name)).to.deep.equal([400, 'name']);
      }
      expect((await call('POST', path, { name: 'CI 👩‍💻', scopes: ['read'] })).status).to.equal(201);
    }
  });

  const webhooks = (rest = '') => `/projects/${projectId}/webhook-tokens/${rest}`;
  const list = async () => (await call<{ results: Shown[] }>('GET', webhooks())).body.results;
  const audited = () => collections.audit.find({ projectId }).sort({ at: 1 }).toArray();
  const lives = (token: string) => collections.webhookTokens.findOne({ _id: hashOfToken(token) });

  describe('webhook tokens', () => {
    it('are returned in plain text with their URLs', async () => {
      const [only, ...rest] = await list();
      expect(rest).to.deep.equal([]);
      expect(looksLikeToken('webhook', only!.token!)).to.equal(true);
      expect(only).to.include({
        number: 1,
        expiresAt: null,
        testUrl: `http://runs.example.test/webhooks/${only!.token}/tests/run/<TEST_ID>`,
      });
    });

    it('rotate: previous tokens stay valid for the given time, and both are returned', async () => {
      const [old] = await list();
      const { status, body } = await call<Shown>('POST', webhooks('rotate/'), { keepOldForHours: 2 });
      expect(status).to.equal(201);
      const both = await list();
      expect(both.map(({ number, token }) => [number, token])).to.deep.equal([
        [2, body.token],
        [1, old!.token],
      ]);
      const keptMs = Date.parse(both[1]!.expiresAt!) - Date.parse(body.createdAt);
      expect(keptMs).to.equal(2 * HOUR);
      expect((await audited()).map(({ action }) => action)).to.deep.equal(['webhookToken.rotate']);
    });

    it('rotate with 0 hours: previous tokens are revoked at once', async () => {
      const [old] = await list();
      await call('POST', webhooks('rotate/'), { keepOldForHours: 0 });
      expect((await list())[1]).to.include({ token: null, testUrl: null });
      expect(await lives(old!.token!)).to.have.property('revokedAt');
    });

    it('rotate once per Idempotency-Key, also concurrently', async () => {
      const rotate = (keepOldForHours: number) =>
        call<Shown>('POST', webhooks('rotate/'), { keepOldForHours }, { 'idempotency-key': 'one' });
      const answers = await Promise.all([rotate(1), rotate(1), rotate(1)]);
      expect(new Set(answers.map(({ body }) => body.number))).to.have.property('size', 1);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 201]);
      expect(await list()).to.have.length(2);
      expect((await rotate(5)).status).to.equal(422);
    });

    it('have an expiration and networks, which the next token inherits', async () => {
      const change = { expiresAt: '2031-01-01T00:00:00.000Z', allowedNetworks: ['192.0.2.0/24', '2001:db8::1'] };
      const { status, body } = await call<Shown>('PATCH', webhooks('1/'), change);
      expect(status).to.equal(200);
      expect(body).to.deep.include(change);
      const next = await call<Shown>('POST', webhooks('rotate/'), {});
      expect(next.body).to.deep.include({ allowedNetworks: change.allowedNetworks, expiresAt: null });
      const open = await call<Shown>('PATCH', webhooks('1/'), { expiresAt: null, allowedNetworks: null });
      expect(open.body).to.include({ expiresAt: null, allowedNetworks: null });
    });

    it('reject invalid networks, by field', async () => {
      const { status, body } = await call<{ message: string }>('PATCH', webhooks('1/'), { allowedNetworks: ['10/8'] });
      expect(status).to.equal(400);
      expect(body.message).to.contain('allowedNetworks[0]');
    });

    it('are revoked at once and permanently', async () => {
      const [{ token }] = (await list()) as [Shown];
      const first = await call<Shown>('POST', webhooks('1/revoke/'));
      expect([first.status, first.body.token]).to.deep.equal([200, null]);
      expect(await lives(token!)).to.have.property('revokedAt');
      const second = await call<Shown>('POST', webhooks('1/revoke/'));
      expect(second.body.revokedAt).to.equal(first.body.revokedAt);
      expect((await call('PATCH', webhooks('1/'), { expiresAt: null })).status).to.equal(409);
      expect((await audited()).filter(({ action }) => action === 'webhookToken.revoke')).to.have.length(1);
    });

    it('return 404 for an unknown number', async () => {
      expect((await call('POST', webhooks('9/revoke/'))).status).to.equal(404);
      expect((await call('PATCH', webhooks('9/'), { expiresAt: null })).status).to.equal(404);
    });

    it('are returned to editors, changed by owners, and hidden from viewers', async () => {
      owner = await addPerson(collections, { roles: { [projectId]: 'editor' } });
      expect((await call('GET', webhooks())).status).to.equal(200);
      expect((await call('POST', webhooks('rotate/'), {})).status).to.equal(403);
      owner = await addPerson(collections, { roles: { [projectId]: 'viewer' } });
      expect((await call('GET', webhooks())).status).to.equal(403);
    });
  });

  for (const [whose, path] of [
    ['of a person', () => '/me/tokens/'],
    ['of a project', () => `/projects/${projectId}/tokens/`],
  ] as const)
    describe(`API tokens, ${whose}`, () => {
      interface Made {
        id: string;
        token: string | null;
        scopes: string[];
      }
      const make = (content: object, headers = {}) => call<Made>('POST', path(), content, headers);
      const input = { name: 'CI', scopes: ['read', 'run'] };

      it('are returned once, grant their scopes, and nothing once revoked', async () => {
        const { status, body } = await make(input);
        expect(status).to.equal(201);
        expect(looksLikeToken('api', body.token!)).to.equal(true);
        const { body: listed } = await call<{ results: Made[] }>('GET', path());
        const mine = listed.results.find(({ id }) => id === body.id);
        expect(mine)
          .to.deep.include({ scopes: ['read', 'run'] })
          .and.to.not.have.property('token');

        const me = () => server.inject({ url: '/api/v2/me/', headers: { authorization: `Token ${body.token}` } });
        expect((await me()).statusCode).to.equal(200);
        expect((await call('DELETE', `${path()}${body.id}/`)).status).to.equal(204);
        expect((await me()).statusCode).to.equal(401);
        expect((await call('DELETE', `${path()}${body.id}/`)).status).to.equal(204);
      });

      it('are created once per Idempotency-Key, and then returned without the token', async () => {
        const key = { 'idempotency-key': randomId() };
        const first = await make(input, key);
        const again = await make(input, key);
        expect([first.status, again.status]).to.deep.equal([201, 200]);
        expect(again.body).to.include({ id: first.body.id, token: null });
        expect((await make({ ...input, name: 'other' }, key)).status).to.equal(422);
      });

      it('stop working after their expiration', async () => {
        const { body } = await make({ ...input, expiresAt: new Date(Date.now() - 1000).toISOString() });
        const headers = { authorization: `Token ${body.token}` };
        expect((await server.inject({ url: '/api/v2/me/', headers })).statusCode).to.equal(401);
      });

      it('require a name and valid scopes', async () => {
        expect((await make({ name: '', scopes: ['all'] })).status).to.equal(400);
        expect((await make({ name: 'x', scopes: [] })).status).to.equal(400);
      });

      it('get the scope admin only from a signed-in person, and never for a project', async () => {
        const ofPerson = path() === '/me/tokens/';
        const made = await make({ name: 'manage', scopes: ['read', 'admin'] });
        expect(made.status).to.equal(ofPerson ? 201 : 400);
      });

      it('of others return 404', async () => {
        const { body } = await make(input);
        const before = path();
        owner = await addPerson(collections);
        expect((await call('DELETE', `${before}${body.id}/`)).status).to.equal(404);
      });
    });

  describe('limits of a project', () => {
    const limits = () => `/projects/${projectId}/limits/`;

    it('are the defaults of the instance until an admin sets others', async () => {
      const { body } = await call<{ effective: object; own: object }>('GET', limits());
      expect(body.own).to.deep.equal({});
      expect(body.effective).to.include({ tokenTriggersPerMinute: 6000, tokenBurst: 6000, openRuns: 20_000 });
      expect((await call('PUT', limits(), { openRuns: 5 })).status).to.equal(403);

      owner = await addPerson(collections, { isAdmin: true });
      const own = { tokenTriggersPerMinute: 60, openRuns: 5 };
      const set = await call<{ effective: object }>('PUT', limits(), own);
      expect(set.status).to.equal(200);
      expect(set.body.effective).to.include({ ...own, tokenBurst: 60, projectTriggersPerMinute: 12_000 });
      expect(await collections.projects.findOne({ _id: projectId })).to.deep.include({ limits: own });
      await call('PUT', limits(), {});
      expect(await collections.projects.findOne({ _id: projectId })).to.not.have.property('limits');
      const entries = await audited();
      expect(entries.map(({ action }) => action)).to.deep.equal(['limits.edit', 'limits.edit']);
      expect((await call('PUT', limits(), { openRuns: 0 })).status).to.equal(400);
    });
  });
});
