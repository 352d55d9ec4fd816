import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import {
  IdempotencyConflictError,
  InvalidInputError,
  TargetNotFoundError,
  UnavailableError,
} from '#src/domain/errors.js';
import { newToken } from '#src/domain/tokens/token-format.js';
import type { WebhookTrigger } from '#src/services/trigger/trigger-run.js';
import { aTestRun } from '#test/builders/run.js';
import type { HttpAnswer } from '#test/support/servers/http-answer.js';
import { webhookServer, type WebhookServer } from './webhook-server.js';

const KIB = 1024;

describe('webhook endpoints', () => {
  const token = newToken('webhook');
  const targetId = randomUUID();
  const path = `/webhooks/${token}/tests/run/${targetId}`;
  const suitePath = `/webhooks/${token}/suites/run/${targetId}`;
  let server: WebhookServer;
  let triggered: WebhookTrigger[];
  /** Error that the service throws instead of starting a run. */
  let refusal: Error | undefined;

  before(async () => {
    server = await webhookServer(async (request) => {
      triggered.push(request);
      if (refusal) throw refusal;
      if (request.token !== token || request.targetId !== targetId) throw new TargetNotFoundError();
      return aTestRun();
    });
  });
  beforeEach(() => {
    triggered = [];
    refusal = undefined;
    server.logged.length = 0;
  });
  after(() => server?.stop());

  const post = (to: string, options?: Parameters<WebhookServer['send']>[2]) => server.send('POST', to, options);

  /** Without values that differ between responses. */
  function comparable({ status, headers, body }: HttpAnswer): string {
    const { date: _date, 'x-request-id': id, ...rest } = headers;
    expect(id).to.be.a('string');
    return JSON.stringify({ status, headers: rest, body });
  }

  it('return 200 for a test and a suite, as uncacheable JSON', async () => {
    for (const [to, kind] of [
      [path, 'test'],
      [suitePath, 'suite'],
    ] as const) {
      const { status, headers, body } = await post(to);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers['cache-control']).to.equal('no-store');
      expect(Object.keys(JSON.parse(body) as object)).to.deep.equal(['id', 'modified', 'status', 'webapp_url']);
      expect(triggered.at(-1)).to.deep.equal({
        token,
        kind,
        targetId,
        idempotencyKey: undefined,
        address: '127.0.0.1',
      });
    }
  });

  describe('accept and ignore', () => {
    const odd: [what: string, options: NonNullable<Parameters<WebhookServer['send']>[2]>][] = [
      ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{"broken":' }],
      ['JSON with __proto__', { headers: { 'content-type': 'application/json' }, body: '{"__proto__":{"a":1}}' }],
      ['JSON without a body', { headers: { 'content-type': 'application/json', 'content-length': 0 } }],
      ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&a=%zz' }],
      ['multipart without a boundary', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
      ['a malformed content type', { headers: { 'content-type': 'odd; ; /type=' }, body: 'x' }],
      ['an empty content type', { headers: { 'content-type': '' }, body: 'x' }],
      ['a content type that repeats itself', { headers: { 'content-type': 'a/b, a/b' }, body: 'x' }],
      ['an unknown charset', { headers: { 'content-type': 'text/plain; charset=martian' }, body: 'x' }],
      ['gzip that is none', { headers: { 'content-encoding': 'gzip' }, body: 'not gzip' }],
      ['an unknown encoding', { headers: { 'content-encoding': 'zippy' }, body: 'x' }],
      ['invalid UTF-8', { headers: { 'content-type': 'text/plain' }, body: Buffer.from([0xc3, 0x28, 0x00]) }],
      ['exactly 64 KiB', { body: Buffer.alloc(64 * KIB) }],
      ['exactly 64 KiB in chunks', { headers: { 'transfer-encoding': 'chunked' }, body: Buffer.alloc(64 * KIB) }],
      ['credentials', { headers: { authorization: 'Basic eDp5', cookie: 'broken=="; session' } }],
      ['any Accept', { headers: { accept: 'text/html' } }],
      [
        'conditions',
        { headers: { 'if-none-match': '*', range: 'bytes=0-1', 'if-modified-since': new Date().toUTCString() } },
      ],
      ['the headers of another origin', { headers: { origin: 'https://elsewhere.test' } }],
    ];
    for (const [what, options] of odd)
      it(what, async () => {
        const { status, body } = await post(path, options);
        expect(status, body).to.equal(200);
        expect(triggered).to.have.length(1);
      });

    for (const query of ['?a=1&b[]=2', '?%zz', '?', '??a', `?token=${'x'.repeat(4000)}`, '?__proto__=1'])
      it(`the query ${query.slice(0, 12)}`, async () => {
        expect((await post(path + query)).status).to.equal(200);
        expect(triggered).to.have.length(1);
      });

    it('a browser’s Accept header: the response is the record as JSON', async () => {
      const { headers } = await post(path, { headers: { accept: 'text/html' } });
      expect(headers['content-type']).to.contain('application/json');
    });
  });

  it('return 413 above 64 KiB, with a length and in chunks, and start nothing', async () => {
    const body = Buffer.alloc(64 * KIB + 1);
    for (const headers of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
      const answer = await post(path, { headers, body });
      expect(answer.status).to.equal(413);
      expect(JSON.parse(answer.body)).to.include({ statusCode: 413, error: 'Request Entity Too Large' });
    }
    expect(triggered).to.deep.equal([]);
  });

  it('return the same 404 for everything that does not exist, malformed or not', async () => {
    const reference = await post(`/webhooks/${newToken('webhook')}/tests/run/${targetId}`);
    expect(reference.status).to.equal(404);
    expect(reference.headers['cache-control']).to.equal('no-store');
    expect(JSON.parse(reference.body)).to.have.keys(['statusCode', 'error', 'message']);
    const ways: [method: string, to: string, options?: Parameters<WebhookServer['send']>[2]][] = [
      ['POST', `/webhooks/${token}/tests/run/${randomUUID()}`],
      ['POST', `/webhooks/${token}/suites/run/${randomUUID()}`],
      ['POST', `/webhooks/short/tests/run/${targetId}`],
      ['POST', `/webhooks/${token}/tests/run/not-a-uuid`],
      ['POST', `/webhooks/${token}/tests/run/$ne`],
      ['POST', `/webhooks/${token}/tests/run/__proto__`],
      ['POST', `/webhooks/${token}/tests/run/%00`],
      ['POST', `/webhooks/${token}/tests/run/%zz`],
      ['POST', `/webhooks/${token}/tests/run/%`],
      ['POST', `/webhooks/${token}/tests/run/%c3%28`],
      ['POST', `/webhooks/%zz/tests/run/${targetId}`],
      ['POST', `/webhooks/${token}%2ftests/run/${targetId}`],
      ['POST', `/webhooks//tests/run/${targetId}`],
      ['POST', `/webhooks/${token}/tests/run/`],
      ['POST', `/webhooks/${token}/tests/run`],
      ['POST', `/webhooks/${token}/tests//run/${targetId}`],
      ['POST', `/webhooks/${token}/tests/run/${targetId}/more`],
      ['POST', `/webhooks/${token}/tests/RUN/${targetId}`],
      ['POST', `/webhooks/${token}/test/run/${targetId}`],
      ['POST', `/webhooks/${token}`],
      ['POST', '/webhooks/'],
      ['POST', '/webhooks'],
      ['POST', `/webhooks/${token}/tests/run/${'9'.repeat(8000)}`],
      ['POST', `/webhooks/${token}/tests/run/${randomUUID()}`, { body: 'a body' }],
      ['POST', `/webhooks/${token}/elsewhere`, { body: Buffer.alloc(70 * KIB) }],
      ['POST', `/webhooks/${token}/elsewhere`, { headers: { accept: 'text/html', origin: 'https://elsewhere.test' } }],
      ['GET', `/webhooks/${token}/elsewhere`],
      ['GET', `/webhooks/${token}/elsewhere`, { headers: { accept: 'text/html' } }],
      ['GET', '/webhooks/%zz', { headers: { accept: 'text/html' } }],
      ['DELETE', `/webhooks/${token}`],
      ['OPTIONS', `/webhooks/${token}`],
    ];
    for (const [method, to, options] of ways)
      expect(comparable(await server.send(method, to, options)), `${method} ${to.slice(0, 120)}`).to.equal(
        comparable(reference),
      );
  });

  it('return 405 for other methods, with Allow and a body, without a query', async () => {
    for (const to of [path, suitePath, '/webhooks/wrong/tests/run/wrong'])
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
        const { status, headers, body } = await server.send(method, to, { headers: { accept: 'text/html' } });
        expect(status, method).to.equal(405);
        expect(headers.allow, method).to.equal('POST');
        expect(headers['cache-control'], method).to.equal('no-store');
        if (method === 'HEAD') expect(body).to.equal('');
        else expect(JSON.parse(body)).to.include({ statusCode: 405, error: 'Method Not Allowed' });
      }
    expect(triggered).to.deep.equal([]);
  });

  it('respond to a PUT with a large body too', async () => {
    const { status } = await server.send('PUT', path, { body: Buffer.alloc(256 * KIB) });
    expect(status).to.equal(405);
  });

  it('return the errors of the service', async () => {
    const answers: [Error, number, string | undefined][] = [
      [new InvalidInputError('The key is malformed.'), 400, undefined],
      [new IdempotencyConflictError('The key was used.'), 422, undefined],
      [new UnavailableError('The database is unavailable.', 7), 503, '7'],
    ];
    for (const [error, status, retryAfter] of answers) {
      refusal = error;
      const answer = await post(path);
      expect(answer.status).to.equal(status);
      expect(answer.headers['retry-after']).to.equal(retryAfter);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(JSON.parse(answer.body)).to.have.keys(['statusCode', 'error', 'message']).and.include({
        statusCode: status,
        message: error.message,
      });
    }
  });

  it('log and count by the template of the route, and never the token', async () => {
    await post(path);
    await post(`${path}?token=${token}`, { headers: { 'idempotency-key': 'k', referer: `http://x${path}` } });
    await server.send('GET', path);
    await post(`/webhooks/${token}/%zz`);
    await post(`/elsewhere/${token}`);
    refusal = new UnavailableError('unavailable', 1, { cause: new Error('no connection') });
    await post(path);
    refusal = new TypeError('a defect');
    expect((await post(path)).status).to.equal(500);
    const lines = server.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ msg }) => msg === 'request completed')).to.have.length(7);
    expect(lines[0]).to.include({ route: '/webhooks/{token}/tests/run/{targetId}', method: 'post', status: 200 });
    expect(lines.filter(({ msg }) => msg === 'request failed').map(({ err }) => (err as Error).message)).to.include(
      'a defect',
    );
    const everything = server.logged.join('') + (await server.metrics());
    expect(everything).to.contain('runhook_http_requests_total{route="/webhooks/{token}/tests/run/{targetId}"');
    expect(everything).not.to.contain(token.slice(5, 40));
  });

  it('do not log an error when a client disconnects in the middle of a body', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf`);
    socket.on('error', () => {});
    // The response on another connection comes after the server has read this half.
    await post(suitePath);
    socket.resetAndDestroy();
    await once(socket, 'close');
    await post(suitePath);
    const statuses = server.logged.map((line) => JSON.parse(line) as { status?: number; level: number; err?: unknown });
    expect(statuses.filter(({ err, status }) => err !== undefined || (status ?? 0) >= 500)).to.deep.equal([]);
    expect(triggered.map(({ kind }) => kind)).to.deep.equal(['suite', 'suite']);
  });
});
