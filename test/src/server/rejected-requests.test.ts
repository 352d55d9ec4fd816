import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import { TargetNotFoundError } from '#src/domain/errors.js';
import { createServer } from '#src/server/server.js';
import type { PeopleServices } from '#src/services/people/people-services.js';
import { createCredentialThrottle } from '#src/services/limits/credential-throttle.js';
import { aTestRun } from '#test/builders/run.js';
import { ADMIN, serverDeps } from '#test/builders/server-deps.js';

describe('rejected requests of an address', () => {
  let server: Server;

  beforeEach(async () => {
    server = await createServer(
      { host: '127.0.0.1', port: 0 },
      serverDeps({
        refusals: createCredentialThrottle({
          refusalsPerMinute: 2,
          delayMs: 20,
          isKnown: async (token) => token === 'good',
        }),
        trigger: {
          byApi: () => expect.fail('not part of this test'),
          async byWebhook({ token }) {
            if (token === 'good') return aTestRun();
            throw new TargetNotFoundError();
          },
        },
        people: { account: { find: async () => undefined } } as unknown as PeopleServices,
        authenticator: { principalOf: async ({ token }) => (token === 'good' ? ADMIN : undefined) },
      }),
    );
  });

  const webhook = async (token: string) =>
    (await server.inject({ method: 'POST', url: `/webhooks/${token}/tests/run/x` })).statusCode;
  const api = async (headers: Record<string, string>) =>
    (await server.inject({ url: '/api/v2/me/', headers })).statusCode;

  it('return 429 beyond the limit, for webhooks and the API together; valid tokens keep working', async () => {
    expect([await webhook('bad'), await api({ authorization: 'Token bad' })]).to.deep.equal([404, 401]);
    expect(await webhook('bad')).to.equal(429);
    expect(await api({ authorization: 'Token bad' })).to.equal(429);
    expect(await api({ authorization: 'nonsense' })).to.equal(429);
    expect([await webhook('good'), await api({ authorization: 'Token good' })]).to.deep.equal([200, 200]);
  });

  it('do not count without credentials', async () => {
    for (let n = 0; n < 5; n++) expect(await api({})).to.equal(401);
    expect(await webhook('bad')).to.equal(404);
  });
});
