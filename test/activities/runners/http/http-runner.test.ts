import { expect } from 'chai';
import type { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import { createResponseChecker } from '#activities/runners/http/response-checker.js';
import { createHttpRunner } from '#activities/runners/http/http-runner.js';
import type { Attempt } from '#activities/runners/runner.js';
import { createSecretMask } from '#activities/run-log/masker.js';
import type { HttpTest } from '#src/domain/targets/definitions.js';
import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import { eventually } from '#test/fixtures/commands/support.js';
import { httpTest, keptAttempt } from '#test/fixtures/http/attempt.js';
import { listen, startShopApi } from '#test/fixtures/http/shop-api.js';
import { selfSigned } from '#test/fixtures/http/self-signed.js';

describe('createHttpRunner', () => {
  let api: Awaited<ReturnType<typeof startShopApi>>;
  let folder: string;
  const checker = createResponseChecker();
  const runner = createHttpRunner({ guard: createNetworkGuard({ privateNetworks: 'allow' }), checker });

  before(async () => {
    api = await startShopApi();
    folder = mkdtempSync(join(tmpdir(), 'runhook-http-'));
  });
  after(async () => {
    await runner.close!();
    await api.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => void (api.seen.length = 0));
  afterEach(() => eventually('every connection is closed', () => api.open() === 0));

  async function run(requests: HttpRequest | HttpRequest[], test: Partial<HttpTest> = {}, more: Partial<Attempt> = {}) {
    const { attempt, steps, text } = keptAttempt({ folder, ...more });
    const verdict = await runner.run(httpTest([requests].flat(), { baseUrl: api.url, ...test }), attempt);
    return { verdict, steps, log: text() };
  }
  const passes = async (...args: Parameters<typeof run>) => {
    const ran = await run(...args);
    expect(ran.verdict, ran.log).to.deep.equal({ status: 'passed' });
    return ran;
  };
  const fails = async (...args: Parameters<typeof run>) => {
    const ran = await run(...args);
    expect(ran.verdict, ran.log).to.have.property('status', 'failed');
    return { ...ran, message: ran.verdict.errorMessage! };
  };

  describe('requests', () => {
    it('pass typed captures on; each is a step, with its exchange in the log', async () => {
      const { steps, log } = await passes([
        {
          name: 'Create',
          method: 'POST',
          url: '/orders',
          json: { quantity: 2 },
          expect: { status: 201, json: [{ path: '$.total', equals: 25 }] },
          capture: { ORDER: { json: '$.id' }, TOKEN: { json: '$.token' }, TOTAL: { json: '$.total' } },
        },
        {
          url: '/orders/{{ORDER}}',
          headers: { 'X-Order-Token': '{{TOKEN}}' },
          expect: { json: [{ path: '$.id', equals: '{{ORDER}}' }] },
        },
        { method: 'PUT', url: '/echo', json: { total: '{{TOTAL}}', text: 'order {{ORDER}}' } },
      ]);
      expect(JSON.parse(api.seen[2]!.body)).to.deep.equal({ total: 25, text: 'order 7' });
      expect(steps.map(({ title }) => title.replace(/\d+ ms/, 'n ms'))).to.deep.equal([
        'Create: POST /orders → 201 in n ms',
        'GET /orders/7 → 200 in n ms',
        'PUT /echo → 200 in n ms',
      ]);
      expect(steps[0]).to.include({ status: 'passed', depth: 0 }).and.not.have.property('message');
      expect(steps[0]!.details![0]).to.match(/^connected after \d+ ms, first byte after \d+ ms, total \d+ ms$/);
      expect(steps[1]!.details![0]).to.match(/^connect(ion reused|ed after \d+ ms), first byte/);
      expect(log).to.contain(`> POST ${api.url}/orders\n`).and.contain('> content-type: application/json\n');
      expect(log).to.contain('\n> {"quantity":2}\n< 201 Created (').and.contain('\n< {"id":7,');
    });

    it('contain headers, query and encoded variables of the test', async () => {
      const variables = { ID: 'a/b?c&d', Q: 'x y&z', HOST: api.url, KIND: 'text/x' };
      await passes(
        [
          { url: '{{HOST}}/echo/{{ID}}?q={{Q}}', query: { more: ['{{Q}}', '2'] }, headers: { 'X-Kind': '{{KIND}}' } },
          { method: 'POST', url: '/echo', form: { a: '{{Q}}', b: '' } },
          { method: 'POST', url: 'echo', body: 'hello {{Q}}' },
        ],
        { headers: { 'X-All': 'yes', 'x-kind': 'mine' } },
        { variables },
      );
      expect(api.seen[0]!.url).to.equal('/echo/a%2Fb%3Fc%26d?q=x+y%26z&more=x+y%26z&more=2');
      expect(api.seen[0]!.headers).to.include({ 'x-all': 'yes', 'x-kind': 'text/x', 'user-agent': 'runhook' });
      expect(api.seen[1]).to.deep.include({ body: 'a=x+y%26z&b=' });
      expect(api.seen[1]!.headers).to.include({ 'content-type': 'application/x-www-form-urlencoded' });
      expect(api.seen[2]).to.include({ url: '/echo', body: 'hello x y&z' });
    });

    it('send credentials, which the log does not show', async () => {
      const { log } = await passes(
        [
          { url: '/echo', auth: { basic: { username: 'ada', password: '{{P}}' } } },
          { url: '/echo', auth: { bearer: '{{P}}' } },
          { url: `http://bob:p%40ss@127.0.0.1:${api.port}/headers-of`, expect: { status: 404 } },
        ],
        {},
        { variables: { P: 'pässword' } },
      );
      const sent = api.seen.map(({ headers }) => headers.authorization);
      expect(sent[0]).to.equal(`Basic ${Buffer.from('ada:pässword').toString('base64')}`);
      expect(sent[2]).to.equal(`Basic ${Buffer.from('bob:p@ss').toString('base64')}`);
      expect(log).to.contain('> authorization: Basic ***\n').and.contain('> authorization: Bearer ***\n');
      expect(log).not.to.contain('p%40ss');
    });

    it('send files of the working folder only', async () => {
      writeFileSync(join(folder, 'order.json'), '{"from":"a file"}');
      symlinkSync('/etc/passwd', join(folder, 'link.txt'));
      await passes({ method: 'POST', url: '/echo', file: 'order.json' });
      expect(api.seen[0]).to.include({ body: '{"from":"a file"}' });
      expect(api.seen[0]!.headers).to.include({ 'content-type': 'application/json' });
      for (const [file, why] of [
        ['../../etc/passwd', /working folder/],
        ['link.txt', /cannot be read: it is outside the working folder/],
        ['/etc/passwd', /outside the working folder/],
        ['none.txt', /is not in the test’s working folder: set cwd or git/],
        ['.', /outside the working folder/],
      ] as const)
        expect((await fails({ method: 'POST', url: '/echo', file })).message, file).to.match(why);
    });

    it('stop at the first failure; later ones are shown as not sent', async () => {
      const { message, steps, log } = await fails([
        { url: '/echo' },
        { name: 'B', url: '/broken', expect: { status: 201 } },
        { url: '/{{ID}}' },
      ]);
      expect(message).to.equal(
        'Request 2, B: GET /broken: expected status 201, but it was 500\nResponse body: {"error":"the database is unavailable"}',
      );
      expect(steps.map(({ status, title }) => `${status} ${title.replace(/\d+ ms/, 'n ms')}`)).to.deep.equal([
        'passed GET /echo → 200 in n ms',
        'failed B: GET /broken → 500 in n ms',
        'skipped GET /{{ID}}',
      ]);
      expect(steps[1]!.message).to.equal('expected status 201, but it was 500');
      expect(log).to.contain('Request 2 failed: expected status 201');
      expect(api.seen).to.have.length(2);
    });

    it('fail on an error status unless a status is expected', async () => {
      expect((await fails({ url: '/nowhere' })).message).to.contain(
        'expected status below 400, but it was 404\nResponse body: There is no such page.',
      );
    });

    it('name missing variables and invalid URLs', async () => {
      const { verdict, steps } = await run({ url: '/echo/{{UNDEFINED}}' });
      expect(verdict).to.include({ status: 'error', errorCode: 'VARIABLE_MISSING' });
      expect(verdict.errorMessage).to.contain('{{UNDEFINED}}');
      expect(steps[0]).to.include({ status: 'failed', title: 'GET /echo/{{UNDEFINED}}' });
      expect((await fails({ url: '/x' }, { baseUrl: '{{B}}' }, { variables: { B: 'shop' } })).message).to.match(
        /the URL is invalid: shop\/x\. It must start with http/,
      );
      const noBase = await run({ url: '/x' }, { baseUrl: undefined as never });
      expect(noBase.verdict.errorMessage).to.match(/is relative, and the test has no baseUrl/);
    });
  });

  describe('redirects and cookies', () => {
    it('follows redirects with cookies that were set on the way', async () => {
      const { log } = await passes({
        method: 'POST',
        url: '/login',
        form: { user: 'ada' },
        expect: { status: 200 },
        capture: { S: { cookie: 'session' } },
      });
      expect(api.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(['POST /login', 'GET /me']);
      expect(api.seen[1]!.headers).not.to.have.any.keys('content-type', 'content-length');
      expect(log).to.contain('< set-cookie: session=***; Path=/; HttpOnly').and.contain('> cookie: session=***');
      // The server returns it in its response, so it need not be masked.
      expect(log.replaceAll('"cookie":"session=abc123secret"', '')).not.to.contain('abc123secret');
    });

    it('can be disabled; cookies are kept within one attempt', async () => {
      const login: HttpRequest = {
        method: 'POST',
        url: '/login',
        redirects: 'manual',
        expect: { status: 303, headers: { location: '/me' } },
      };
      await passes([login, { url: '/me', expect: { status: 401 } }], { cookies: 'none' });
      await passes([login, { url: '/me', expect: { status: 200 } }]);
      await passes({ url: '/me', expect: { status: 401 } });
    });

    it('keeps method and body where the status requires it', async () => {
      await passes({
        method: 'POST',
        url: '/moved',
        json: { a: 1 },
        expect: {
          json: [
            { path: '$.method', equals: 'POST' },
            { path: '$.body', equals: '{"a":1}' },
          ],
        },
      });
    });

    it('ends redirect loops and redirects to other protocols', async () => {
      expect((await fails({ url: '/loop' })).message).to.contain(
        'the request was redirected more than 10 times, last to /loop',
      );
      expect(api.seen).to.have.length(11);
      expect((await fails({ url: '/loop', redirects: 0 })).message).to.contain('more than 0 times');
      expect((await fails({ url: '/to-ftp' })).message).to.contain('ftp://127.0.0.1/, which is not an HTTP URL');
    });

    it('sends credentials to no other origin', async () => {
      const other = await startShopApi();
      const to = `/to?${encodeURIComponent(`${other.url}/to?${encodeURIComponent('/echo')}`)}`;
      await passes({ url: to, auth: { bearer: 'mine' }, headers: { Cookie: 'a=b', 'X-Other': '1' } });
      expect(other.seen).to.have.length(2);
      for (const { headers } of other.seen) {
        expect(headers).to.include({ 'x-other': '1', host: `127.0.0.1:${other.port}` });
        expect(headers).not.to.have.any.keys('authorization', 'cookie');
      }
      await other.close();
    });
  });

  describe('expectations', () => {
    it('report all failures', async () => {
      const { message } = await fails({
        method: 'POST',
        url: '/orders',
        json: { delayMs: 5 },
        expect: {
          status: [200, 204],
          headers: { 'content-type': 'text/*', 'x-none': { exists: true }, date: { exists: false } },
          json: [
            { path: '$.total', equals: '12.5' },
            { path: '$.items[0].price', lessThan: 10 },
            { path: '$.nothing', exists: true },
          ],
          text: { contains: 'coffee', matches: '^\\[' },
          time: { below: '1ms' },
        },
        capture: { X: { json: '$.x' } },
      });
      expect(
        message
          .replace(/took \d+ ms/, 'took n ms')
          .replace(/was "\w{3}, [^"]*GMT"/, 'was "a date"')
          .split('\n'),
      ).to.deep.equal([
        'Request 1, POST /orders: expected status 200 or 204, but it was 201',
        'expected a response in less than 1 ms, but it took n ms',
        'expected header content-type to be "text/*", but it was "application/json; charset=utf-8"',
        'expected header x-none, but it is missing',
        'expected no header date, but it was "a date"',
        'expected the response to contain "coffee", but it was "{\\"id\\":7,\\"token\\":\\"order-token-7f3a9c\\",\\"total\\":12.5,\\"items\\":[{\\"sku\\":\\"tea\\",\\"price\\":12.5}]}"',
        'expected the response to match /^\\[/, but it was "{\\"id\\":7,\\"token\\":\\"order-token-7f3a9c\\",\\"total\\":12.5,\\"items\\":[{\\"sku\\":\\"tea\\",\\"price\\":12.5}]}"',
        'expected $.total to be "12.5", but it was 12.5',
        'expected $.items[0].price to be less than 10, but it was 12.5',
        'expected a value at $.nothing, but there is none',
        'could not capture X: nothing was found at $.x',
        'Response body: {"id":7,"token":"order-token-7f3a9c","total":12.5,"items":[{"sku":"tea","price":12.5}]}',
      ]);
    });

    it('check a schema of the test or of a file', async () => {
      const schema = {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, total: { type: 'string' } },
      };
      writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
      const expected = 'expected JSON that matches the schema, but /total must be string';
      for (const expect_ of [{ schema }, { schemaFile: 'schema.json' }] as const)
        expect((await fails({ method: 'POST', url: '/orders', expect: expect_ as never })).message).to.contain(
          expected,
        );
    });

    it('are checked repeatedly until they are met', async () => {
      const { steps, log } = await passes({
        url: '/job',
        expect: { json: [{ path: '$.state', equals: 'done' }] },
        retry: { times: 5, every: '20ms' },
      });
      expect(api.seen).to.have.length(3);
      expect(steps).to.have.length(1);
      expect(steps[0]!.details![0]).to.equal('3 attempts');
      expect(log).to.contain('Attempt 1 of 5: expected $.state to be "done", but it was "working"');
      const { message } = await fails({ url: '/broken', retry: { times: 2, every: '1ms' } });
      expect(message).to.contain('Request 1, GET /broken after 2 attempts: expected status below 400');
    });

    it('that never end are given up, and the next test is checked', async () => {
      const impatient = createResponseChecker(300);
      const own = createHttpRunner({ guard: createNetworkGuard({ privateNetworks: 'allow' }), checker: impatient });
      const verdictOf = (matches: string) =>
        own.run(httpTest([{ url: `${api.url}/backtrack`, expect: { text: { matches } } }]), keptAttempt().attempt);
      const [bad, good] = await Promise.all([verdictOf('^(a+)+$'), verdictOf('^a+b$')]);
      expect(bad!.errorMessage).to.match(/could not be checked: it took longer than 0.3 s/);
      expect(good).to.deep.equal({ status: 'passed' });
      await own.close!();
    });

    it('that were given up are not retried', async () => {
      const own = createHttpRunner({
        guard: createNetworkGuard({ privateNetworks: 'allow' }),
        checker: createResponseChecker(300),
      });
      const url = `${api.url}/backtrack`;
      const request = { url, expect: { text: { matches: '^(a+)+$' } }, retry: { times: 50, every: '100ms' } };
      const verdict = await own.run(httpTest([request]), keptAttempt().attempt);
      expect(verdict.errorMessage).to.match(/could not be checked/);
      expect(api.seen).to.have.length(1);
      await own.close!();
    });

    it('of one project do not delay those of another', async () => {
      const checker = createResponseChecker(60_000);
      const own = createHttpRunner({ guard: createNetworkGuard({ privateNetworks: 'allow' }), checker });
      const stop = new AbortController();
      const check = (projectId: string, matches: string, more = {}) => {
        const requests = [{ url: `${api.url}/backtrack`, expect: { text: { matches } } }];
        return own.run(httpTest(requests), { ...keptAttempt().attempt, projectId, ...more });
      };
      const flood = Array.from({ length: 5 }, () => check('flooding', '^(a+)+$', { signal: stop.signal }));
      await eventually('the flood is answered', () => api.seen.length === 5);
      expect(await check('other', '^a+b$')).to.deep.equal({ status: 'passed' });
      expect(await Promise.race([...flood, 'checked still'])).to.equal('checked still');
      stop.abort();
      expect((await Promise.all(flood)).map(({ status }) => status)).to.deep.equal(Array(5).fill('stopped'));
      await own.close!();
    });
  });

  describe('responses', () => {
    it('are decompressed', async () => {
      await passes([
        { url: '/gzip', expect: { json: [{ path: '$.ok', equals: true }] } },
        { url: '/br', expect: { text: { equals: 'bread' } } },
        { method: 'HEAD', url: '/gzip' },
      ]);
    });

    const troubles: [path: string, why: RegExp][] = [
      ['/half', /no response from 127.0.0.1:\d+: the connection was closed before the response was complete/],
      ['/huge', /the response is larger than 5 MiB, the maximum/],
      ['/bomb', /the response is larger than 5 MiB, the maximum/],
      ['/not-gzip', /could not be decompressed/],
      ['/headers', /the response headers are larger than 64 KiB/],
      ['/slow', /127.0.0.1:\d+ did not send a complete response within 300 ms, the timeout of the request/],
      ['/endless', /127.0.0.1:\d+ did not send a complete response within 300 ms/],
    ];
    for (const [url, why] of troubles)
      it(`fail when they are broken: ${url}`, async () => {
        const timeout = url === '/slow' || url === '/endless' ? { timeout: '300ms' } : {};
        const { message, steps, log } = await fails({ url, ...timeout });
        expect(message).to.match(why);
        expect(steps[0]).to.include({ status: 'failed', title: `GET ${url}` });
        expect(log).to.contain(`> GET ${api.url}${url}\n`);
      });

    it('are logged by size and type if they are not text, and truncated if they are long', async () => {
      const { log } = await passes([{ url: '/image' }, { method: 'POST', url: '/echo', body: 'long '.repeat(1000) }]);
      expect(log).to.contain('\n< 6 bytes of image/png\n');
      expect(log).to.match(/\n> … 5 KiB in total\n/);
      expect(log.length).to.be.lessThan(5000);
    });
  });

  describe('failed connections', () => {
    it('are explained', async () => {
      const closed = await listen(createTlsServer());
      await closed.close();
      expect((await fails({ url: closed.url })).message).to.match(/the connection was refused.*\(ECONNREFUSED\)/);
      expect((await fails({ url: 'http://nowhere.invalid/' })).message).to.match(
        /no response from nowhere.invalid: the host name/,
      );
      expect((await fails({ url: `https://127.0.0.1:${api.port}/` })).message).to.match(
        /the server does not support TLS/,
      );
      const garbage = createTcpServer((socket) => socket.on('error', () => {}).write('SSH-2.0-OpenSSH\r\n'));
      const { url } = await listen(Object.assign(garbage, { closeAllConnections: () => {} }) as never);
      const { message } = await fails({ url }).finally(() => garbage.close());
      expect(message).to.match(/the response is not HTTP/);
    });

    describe('to a host that does not respond', () => {
      const silent = createTcpServer();
      const open = new Set<Socket>();
      let url: string;
      before(async () => {
        silent.on('connection', (socket) => {
          open.add(
            socket
              .resume()
              .on('error', () => {})
              .once('close', () => open.delete(socket)),
          );
        });
        await once(silent.listen(0, '127.0.0.1'), 'listening');
        url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
      });
      after(() => silent.close());
      afterEach(() => eventually('every connection is closed', () => open.size === 0));

      it('end at the timeout of the request, and are retried', async () => {
        const { message } = await fails({ url, timeout: '500ms', retry: { times: 2, every: '500ms' } });
        expect(message).to.match(/after 2 attempts: .* did not send a complete response within 500 ms/);
      }).timeout(8000);

      it('end when the run is stopped', async () => {
        const { verdict } = await run({ url }, {}, { signal: AbortSignal.timeout(300) });
        expect(verdict).to.deep.equal({ status: 'stopped' });
      }).timeout(6000);

      it('end when the run is stopped, if the name server does not respond', async () => {
        const guard = createNetworkGuard({ privateNetworks: 'allow' }, (() => {}) as unknown as typeof systemLookup);
        const { attempt } = keptAttempt({ folder, signal: AbortSignal.timeout(300) });
        const test = httpTest([{ url: 'http://silent.test/' }]);
        expect(await createHttpRunner({ guard, checker }).run(test, attempt)).to.deep.equal({ status: 'stopped' });
      }).timeout(6000);
    });

    it('are caused by untrusted certificates, unless disabled', async () => {
      const server = createTlsServer(selfSigned(folder), (_request, answer) => answer.end('inside'));
      const { port } = await listen(server);
      const request = { url: `https://127.0.0.1:${port}/`, expect: { text: { equals: 'inside' } } };
      expect((await fails(request)).message).to.match(
        /the certificate is self-signed \(for a test system, set insecure: true\)/,
      );
      await passes(request, { insecure: true });
      server.closeAllConnections();
      server.close();
    });
  });

  describe('secrets', () => {
    it('are masked in messages before truncation; captured ones from the next request', async () => {
      const secret = 'canary-'.padEnd(300, '0123456789');
      const mask = createSecretMask([secret])!;
      const { message, steps, log } = await fails(
        [
          { method: 'POST', url: '/orders', capture: { TOKEN: { json: '$.token', secret: true } } },
          {
            url: '/echo/{{TOKEN}}',
            headers: { 'X-T': '{{TOKEN}}' },
            expect: { text: { contains: 'nothing {{TOKEN}}' } },
          },
        ],
        { headers: { 'X-Secret': secret } },
        { mask: (text) => mask.text(text) },
      );
      const shown = [message, log, JSON.stringify(steps)].join('\n');
      expect(shown).not.to.contain('order-token-7f3a9c').and.not.to.contain('canary-0');
      expect(log).to.contain('"token":"***"').and.contain('> x-t: ***').and.contain('> x-secret: ***');
      expect(message).to.contain('GET /echo/***: expected the response to contain "nothing ***"');
      expect(api.seen[1]!.headers).to.include({ 'x-t': 'order-token-7f3a9c' });
    });
  });

  describe('networks', () => {
    const refusing = createHttpRunner({ guard: createNetworkGuard({ privateNetworks: 'refuse' }), checker });

    it('that are refused cause an error with instructions', async () => {
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1']) {
        const { attempt, steps } = keptAttempt();
        const verdict = await refusing.run(httpTest([{ url: `http://${host}:${api.port}/` }]), attempt);
        expect(verdict, host).to.include({ status: 'error', errorCode: 'NETWORK_REFUSED' });
        expect(verdict.errorMessage).to.match(/is not allowed as a destination.*RUNHOOK_PRIVATE_NETWORKS/);
        expect(steps[0]).to.include({ status: 'failed' });
      }
      expect(api.seen).to.have.length(0);
    });

    it('are never link-local, even if private ones are allowed', async () => {
      for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:a9fe:a9fe]', '100.100.100.200']) {
        const { verdict } = await run({ url: `http://${host}/latest/meta-data/` });
        expect(verdict, host).to.include({ status: 'error', errorCode: 'NETWORK_REFUSED' });
      }
    });

    it('are checked on every redirect', async () => {
      const guard = createNetworkGuard({ privateNetworks: 'refuse', allowed: ['127.0.0.1'] });
      const own = createHttpRunner({ guard, checker });
      const inside = (host: string) => ({
        url: `${api.url}/to?${encodeURIComponent(`http://${host}:${api.port}/echo`)}`,
      });
      expect(await own.run(httpTest([inside('127.0.0.1')]), keptAttempt().attempt)).to.include({ status: 'passed' });
      for (const host of ['127.0.0.2', '169.254.169.254', '[::1]'])
        expect(await own.run(httpTest([inside(host)]), keptAttempt().attempt), host).to.include({
          errorCode: 'NETWORK_REFUSED',
        });
    });
  });

  it('stops immediately while it waits for a response, a retry or its turn', async () => {
    const stopped = async (request: HttpRequest, when: () => boolean) => {
      const controller = new AbortController();
      const running = run(request, {}, { signal: controller.signal });
      await eventually('it is in progress', when);
      controller.abort();
      // Without the stop, none of them would end.
      expect((await running).verdict).to.deep.equal({ status: 'stopped' });
    };
    await stopped({ url: '/slow' }, () => api.seen.length === 1);
    await stopped({ url: '/endless' }, () => api.seen.length === 2);
    await stopped({ url: '/broken', retry: { times: 9, every: '10m' } }, () => api.seen.length === 3);
    await stopped({ url: '/echo' }, () => true);
  });
});
