import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { randomId } from '#src/domain/ids.js';
import { apiServer, callApi } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

interface Refused {
  code: string;
  message: string;
  fields: { field: string; message: string }[];
}

describe('API input', () => {
  let collections: Collections;
  let server: Server;
  let owner: TestPerson;
  let projectId: string;
  const send = (what: string, body?: string | object, headers?: Record<string, string>) =>
    callApi<Refused & { id: string }>(server, owner.apiToken, what, body, headers);
  const make = (more: object) =>
    send(`POST /projects/${projectId}/tests/`, { name: randomId(), command: ['true'], cwd: '/srv', ...more });
  const browser = (more: object) => make({ runner: 'browser', command: undefined, steps: [{ goto: '/' }], ...more });
  const http = (url: string) => make({ runner: 'http', command: undefined, requests: [{ url }] });

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
    server = await apiServer(collections);
    owner = await addPerson(collections);
    projectId = (await send('POST /projects/', { name: `Shop ${randomId()}` })).body.id;
  });

  for (const [what, field, send] of [
    ['of a test', 'retries', () => make({ retries: '3' })],
    ['of a limit', 'limits.processes', () => make({ limits: { processes: '30' } })],
    [
      'in a list',
      'requests.0.expect.status',
      () =>
        make({ runner: 'http', command: undefined, requests: [{ url: 'http://a.test/', expect: { status: '200' } }] }),
    ],
    ['of a viewport', 'viewport.width', () => browser({ viewport: { width: '1280', height: 720 } })],
  ] as const)
    it(`rejects a number ${what} as a string`, async () => {
      const { status, body } = await send();
      expect([status, body.fields?.map(({ field }) => field)], body.message).to.eql([400, [field]]);
    });

  it('rejects numbers and booleans as strings for projects and schedules too, and accepts them in queries', async () => {
    const refused = await send('POST /projects/', { name: 'Shop', retentionDays: '9' });
    expect([refused.status, refused.body.fields[0]!.field]).to.eql([400, 'retentionDays']);
    const { body: test } = await make({});
    const schedule = { name: 'Nightly', testId: test.id, cron: '0 6 * * *', paused: 'false' };
    const paused = await send(`POST /projects/${projectId}/schedules/`, schedule);
    expect([paused.status, paused.body.fields[0]!.field]).to.eql([400, 'paused']);
    expect((await send('GET /projects/?limit=7')).status).to.equal(200);
  });

  for (const url of ['http://127.0.0.1:99999/', 'http://[::1', 'https://'])
    it(`rejects the URL ${url}`, async () => {
      for (const answer of [
        await http(url),
        await browser({ baseUrl: url }),
        await browser({ steps: [{ goto: url }] }),
      ]) {
        expect(answer.status, answer.text).to.equal(400);
        expect(answer.body.message).to.match(/is not a valid URL/);
      }
    });

  it('accepts URLs with variables, and relative ones', async () => {
    for (const url of ['http://{{HOST}}:8080/', '{{BASE}}/x', 'http://[::1]:80/'])
      expect((await http(url)).status, url).to.equal(201);
    expect((await browser({ baseUrl: '{{BASE_URL}}', steps: [{ goto: '/shop' }] })).status).to.equal(201);
  });

  it('rejects an unknown time zone', async () => {
    const { status, body } = await browser({ timezone: 'Europe/Atlantis' });
    expect([status, body.fields[0]!.field]).to.eql([400, 'timezone']);
    expect((await browser({ timezone: 'Europe/Berlin' })).status).to.equal(201);
  });

  for (const name of [
    '\u200b',
    '\u2060\u2063',
    'Check\u200bout',
    'Check\u00adout',
    '\u202eCheckout',
    '\u3164',
    '\u2800',
    'a\u200db',
  ])
    it(`rejects the name ${JSON.stringify(name).replace(/[^ -~]/g, (one) => `U+${one.codePointAt(0)!.toString(16)}`)}`, async () => {
      const { status, body } = await make({ name });
      expect([status, body.fields[0]!.field]).to.eql([400, 'name']);
      expect(body.message).to.include('invisible characters');
      const text = `project: ${JSON.stringify(name)}\ntests: []\n`;
      expect((await send('POST /import/', text, { 'content-type': 'application/yaml' })).status).to.equal(400);
    });

  it('accepts emoji with joiners in a name', async () => {
    for (const name of ['👩‍💻 logs in', 'I ❤️ tests', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 shop', '👍🏽', 'Größe ﷺ'])
      expect((await make({ name })).status, name).to.equal(201);
  });

  it('reports the maximum number of tests of a suite', async () => {
    const { body: test } = await make({});
    const tests = Array<string>(10_001).fill(test.id);
    const suite = await send(`POST /projects/${projectId}/suites/`, { name: 'Large', tests });
    expect(suite.status).to.equal(400);
    expect(suite.body.message).to.equal('tests has 10001 entries; a suite can have up to 10,000 tests');
    const lines = tests.map((_, index) => `  - { name: T ${index}, command: [x], cwd: /srv }\n`).join('');
    const file = await send('POST /import/', `project: P\ntests:\n${lines}`, { 'content-type': 'application/yaml' });
    expect(file.status).to.equal(400);
    expect(file.body.fields.map(({ message }) => message)).to.eql([
      '10001 entries are too many; a list or map can have up to 10,000',
    ]);
  });

  it('rejects an unknown content encoding with 415', async () => {
    for (const [path, type] of [
      [`/projects/${projectId}/tests/`, 'application/json'],
      ['/import/', 'application/yaml'],
    ] as const)
      for (const encoding of ['br', 'zstd', 'nonsense', 'gzip, br']) {
        const { status, body } = await send(`POST ${path}`, '{}', {
          'content-type': type,
          'content-encoding': encoding,
        });
        expect([status, body.code], encoding).to.eql([415, 'unsupported_media_type']);
      }
    const plain = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    expect((await send(`POST /projects/${projectId}/tests/`, '{}', plain)).status).to.equal(400);
  });
});
