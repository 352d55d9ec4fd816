import { expect } from 'chai';
import { after } from '../../../builders/sample-runs.js';
import { BROWSER, pageServer } from './page-server.js';

describe('GET /', () => {
  it('lists the latest 50 runs', async () => {
    let asked: number | undefined;
    const { server } = await pageServer({
      latest: async (limit) => {
        asked = limit;
        return [
          { id: '7', kind: 'test', projectName: 'Shop', targetName: 'Login', status: 'passed', queuedAt: after(0) },
        ];
      },
    });
    const answer = await server.inject({ url: '/', headers: BROWSER });
    expect(asked).to.equal(50);
    expect(answer.statusCode).to.equal(200);
    expect(answer.payload).to.include('href="/runs/7"').and.to.include('Shop');
  });

  it('teaches the webhook when there are none', async () => {
    const { server } = await pageServer({ latest: async () => [] });
    const { payload } = await server.inject('/');
    expect(payload).to.include('https://runs.example.test/webhooks/&lt;WEBHOOK_TOKEN>/');
  });

  it('is a 503 page with Retry-After while the server shuts down', async () => {
    const { server } = await pageServer({}, 'refusing');
    const answer = await server.inject({ url: '/', headers: BROWSER });
    expect(answer.statusCode).to.equal(503);
    expect(answer.headers['retry-after']).to.equal('1');
    expect(answer.payload).to.include('Not available at the moment');
  });
});

describe('GET /assets/{file}', () => {
  it('is kept for ever under the address that pages name, and not under others', async () => {
    const { server } = await pageServer({ latest: async () => [] });
    const { payload } = await server.inject('/');
    const url = /href="(\/assets\/runhook\.css\?v=[0-9a-f]+)"/.exec(payload)?.[1];
    const answer = await server.inject(url!);
    expect(answer.statusCode).to.equal(200);
    expect(answer.headers['content-type']).to.equal('text/css; charset=utf-8');
    expect(answer.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect((await server.inject('/assets/runhook.css?v=old')).headers['cache-control']).to.equal('no-cache');
  });

  for (const file of ['nothing.css', '..%2Frender-page.ts', 'constructor']) {
    it(`has no ${file}`, async () => {
      const { server } = await pageServer({});
      expect((await server.inject(`/assets/${file}`)).statusCode).to.equal(404);
    });
  }
});
