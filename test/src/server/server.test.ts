import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import { pino } from 'pino';
import { InvalidInputError, TooManyError, UnavailableError } from '#src/domain/errors.js';
import { networksOf } from '#src/domain/tokens/networks.js';
import { createMetrics } from '#src/server/metrics/metrics.js';
import { createOpsServer } from '#src/server/metrics/ops-server.js';
import type { Drain } from '#src/server/plugins/draining.js';
import { createServer } from '#src/server/server.js';
import type { Readiness } from '#src/services/instance/check-readiness.js';
import type { RunTrigger } from '#src/services/trigger/trigger-run.js';
import { aTestRun } from '#test/builders/run.js';
import { serverDeps } from '#test/builders/server-deps.js';
import { aMetricsSource } from '#test/builders/metrics-source.js';

const URL_PATH = '/webhooks/rhwh_canary/tests/run/0198c7a0-0000-4000-8000-000000000000';
const metrics = () => createMetrics(aMetricsSource({ pendingStarts: async () => ({ pending: 3 }) }));

describe('server', () => {
  let server: Server;
  let lines: string[];
  let drain: Drain;
  let byWebhook: RunTrigger['byWebhook'];

  beforeEach(async () => {
    lines = [];
    drain = 'serving';
    byWebhook = async () => aTestRun();
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    server = await createServer(
      { host: '127.0.0.1', port: 0 },
      serverDeps({
        trigger: { byWebhook: (request) => byWebhook(request), byApi: async () => expect.fail('not called') },
        publicUrl: 'https://runs.example.com',
        log: pino(stream),
        metrics: metrics(),
        drain: () => drain,
      }),
    );
  });
  afterEach(() => server.stop({ timeout: 0 }));

  const post = (headers: Record<string, string> = {}) => server.inject({ method: 'POST', url: URL_PATH, headers });

  it('returns a URL below the public URL, and passes the idempotency key on', async () => {
    const keys: (string | undefined)[] = [];
    const run = aTestRun();
    byWebhook = async ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return run;
    };
    const { result } = await post({ 'idempotency-key': 'one' });
    expect(result).to.deep.equal({
      id: run._id,
      modified: run.modified.toISOString(),
      status: 'queued',
      webapp_url: `https://runs.example.com/runs/${run._id}`,
    });
    await post();
    expect(keys).to.deep.equal(['one', undefined]);
  });

  it('logs the template of a route, never the path', async () => {
    await post();
    await server.inject({ method: 'POST', url: '/webhooks/rhwh_canary/%zz' });
    await server.inject({ method: 'GET', url: `${URL_PATH}?token=rhwh_canary` });
    byWebhook = async () => {
      throw new TypeError('a defect');
    };
    expect((await post()).statusCode).to.equal(500);
    expect(lines.join()).to.contain('/webhooks/{token}/tests/run/{targetId}').and.to.contain('a defect');
    expect(lines.join()).to.not.contain('canary');
  });

  it('does not expose internal errors', async () => {
    byWebhook = async () => {
      throw new TypeError('inner workings');
    };
    const { statusCode, payload } = await post();
    expect(statusCode).to.equal(500);
    expect(payload).to.not.contain('inner workings');
  });

  it('returns the caller’s request ID, or a new one', async () => {
    expect((await post({ 'x-request-id': 'build-4711' })).headers['x-request-id']).to.equal('build-4711');
    const odd = (await post({ 'x-request-id': 'a b' })).headers['x-request-id'];
    expect(odd).to.match(/^[0-9a-f-]{36}$/);
  });

  it('maps errors of services, with Retry-After where it helps', async () => {
    byWebhook = async () => {
      throw new UnavailableError('The database is unavailable.', 5);
    };
    const unavailable = await post();
    expect(unavailable.statusCode).to.equal(503);
    expect(unavailable.headers['retry-after']).to.equal('5');
    expect(JSON.parse(unavailable.payload).message).to.equal('The database is unavailable.');
    byWebhook = async () => {
      throw new InvalidInputError('The key is malformed.');
    };
    expect(JSON.parse((await post()).payload)).to.deep.equal({
      statusCode: 400,
      error: 'Bad Request',
      message: 'The key is malformed.',
    });
  });

  it('returns the rate limit with Retry-After, and closes the connection if required', async () => {
    const error = new TooManyError('Too many.', 3, { limit: 60, remaining: 0, resetSeconds: 4 });
    byWebhook = async () => {
      throw error;
    };
    const { statusCode, headers } = await post();
    expect(statusCode).to.equal(429);
    expect(headers).to.include({
      'retry-after': '3',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '4',
    });
    await server.start();
    const { port } = server.listener.address() as AddressInfo;
    const connectionAfter = async () =>
      (await fetch(`http://127.0.0.1:${port}${URL_PATH}`, { method: 'POST' })).headers.get('connection');
    expect(await connectionAfter()).to.equal('keep-alive');
    error.hangUp = true;
    expect(await connectionAfter()).to.equal('close');
  });

  it('passes on the client address behind a trusted proxy', async () => {
    const addresses: string[] = [];
    byWebhook = async ({ address }) => {
      addresses.push(address);
      return aTestRun();
    };
    const header = { 'x-forwarded-for': '192.0.2.7' };
    await post(header);
    const trigger = { byWebhook: (request: Parameters<typeof byWebhook>[0]) => byWebhook(request) };
    const trusting = await createServer(
      { host: '127.0.0.1', port: 0, trustedProxies: networksOf(['127.0.0.1']) },
      serverDeps({ trigger: trigger as RunTrigger }),
    );
    await trusting.inject({ method: 'POST', url: URL_PATH, headers: header });
    expect(addresses).to.deep.equal(['127.0.0.1', '192.0.2.7']);
  });

  it('keeps serving while leaving, and closes connections', async () => {
    drain = 'leaving';
    const { statusCode, headers } = await post();
    expect(statusCode).to.equal(200);
    expect(headers.connection).to.equal('close');
  });

  it('rejects requests and closes at the end of draining', async () => {
    drain = 'refusing';
    const { statusCode, headers } = await post();
    expect(statusCode).to.equal(503);
    expect(headers['retry-after']).to.equal('1');
    expect(headers.connection).to.equal('close');
    expect(headers['x-request-id']).to.be.a('string');
  });

  it('closes a connection whose headers arrive too slowly', async () => {
    await server.start();
    const socket = connect((server.listener.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST ${URL_PATH} HTTP/1.1\r\nHost: x\r\n`);
    const began = performance.now();
    // As after a network interruption: curl retries after a 408, not after a 400.
    expect(await text(socket)).to.match(/^HTTP\/1\.1 408 /);
    expect(performance.now() - began).to.be.within(4000, 9000);
  }).timeout(15_000);
});

describe('operations listener', () => {
  const readiness = (status: Readiness['status']): Readiness => ({
    status,
    draining: false,
    dependencies: { mongodb: { status: 'up' }, temporal: { status: 'degraded', message: 'unavailable' } },
  });
  const ops = (status: Readiness['status']) =>
    createOpsServer(
      { host: '127.0.0.1', port: 0 },
      { metrics: metrics(), checkReadiness: async () => readiness(status) },
    );

  it('reports liveness, and readiness with each dependency', async () => {
    expect((await ops('not ready').inject('/livez')).statusCode).to.equal(200);
    const ready = await ops('ready').inject('/readyz');
    expect(ready.statusCode).to.equal(200);
    expect(ready.result).to.deep.equal(readiness('ready'));
    expect((await ops('not ready').inject('/readyz')).statusCode).to.equal(503);
  });

  it('returns metrics in the Prometheus format', async () => {
    const { headers, payload } = await ops('ready').inject('/metrics');
    expect(headers['content-type']).to.contain('text/plain');
    expect(payload).to.match(/^runhook_pending_starts 3$/m);
  });
});
