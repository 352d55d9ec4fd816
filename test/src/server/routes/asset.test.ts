import { expect } from 'chai';
import { pageServer } from '#test/support/page-server.js';

describe('GET /assets/{file}', () => {
  it('is cached forever at the URL with its hash, and not at others', async () => {
    const { server } = await pageServer({});
    const { payload } = await server.inject('/sign-in');
    const url = /href="(\/assets\/runhook\.css\?v=[0-9a-f]+)"/.exec(payload)?.[1];
    const answer = await server.inject(url!);
    expect(answer.statusCode).to.equal(200);
    expect(answer.headers['content-type']).to.equal('text/css; charset=utf-8');
    expect(answer.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect((await server.inject('/assets/runhook.css?v=old')).headers['cache-control']).to.equal('no-cache');
  });

  for (const file of ['nothing.css', '..%2Frender-page.ts', 'constructor']) {
    it(`returns 404 for ${file}`, async () => {
      const { server } = await pageServer({});
      expect((await server.inject(`/assets/${file}`)).statusCode).to.equal(404);
    });
  }
});
