import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import { BROWSER, pageServer } from '#test/support/page-server.js';

describe('GET /docs', () => {
  let server: Server;
  before(async () => ({ server } = await pageServer({})));
  after(() => server.stop());
  const get = (url: string) => server.inject({ url, headers: BROWSER });

  it('shows the index without a sign-in', async () => {
    const { statusCode, payload, headers } = await get('/docs');
    expect(statusCode).to.equal(200);
    expect(payload).to.contain('<h1>Runhook documentation</h1>').and.to.contain('href="/docs/webhook"');
    expect(headers['content-security-policy']).to.contain("style-src 'self'").and.not.to.contain('unsafe');
  });

  it('shows a page with its position in the navigation', async () => {
    const { payload } = await get('/docs/webhook');
    expect(payload).to.contain('<title>Webhooks · Documentation · Runhook</title>');
    expect(payload).to.match(/<a href="\/docs\/webhook" aria-current="page">/);
    expect(payload).to.contain('<h2 id="webhook-tokens">').and.to.contain('href="#webhook-tokens"');
  });

  it('shows pages in folders', async () => {
    expect((await get('/docs/decisions')).payload).to.contain('href="/docs/decisions/workers/pools"');
    expect((await get('/docs/decisions/workers/pools')).statusCode).to.equal(200);
  });

  it('serves the pictures of its pages', async () => {
    const { statusCode, headers, rawPayload } = await get('/docs/screenshots/webhooks/light-wide.png');
    expect([statusCode, headers['content-type']]).to.deep.equal([200, 'image/png']);
    expect(rawPayload.subarray(1, 4).toString()).to.equal('PNG');
  });

  for (const url of [
    '/docs/none',
    '/docs/../package.json',
    '/docs/screenshots/webhooks/none.png',
    '/docs/decisions/none',
  ])
    it(`returns 404 for ${url}`, async () => expect((await get(url)).statusCode).to.equal(404));

  it('finds sections by words, and highlights these', async () => {
    const { payload } = await get('/docs/search?q=%3Cb%3E+token');
    expect(payload).to.contain('No section contains all these words').and.to.contain('Search: &lt;b>');
    const found = await get('/docs/search?q=Idempotency-Key');
    expect(found.payload).to.contain('href="/docs/webhook#retries-and-idempotency-keys"');
    expect(found.payload).to.contain('<mark>Idempotency-Key</mark>');
  });

  it('shows only the form for an empty search', async () => {
    for (const url of ['/docs/search', '/docs/search?q=', '/docs/search?q=a&q=b'])
      expect((await get(url)).statusCode, url).to.equal(200);
  });
});
