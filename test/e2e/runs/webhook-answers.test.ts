import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newToken } from '#src/domain/tokens/token-format.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import type { RunAnswer } from '#src/domain/runs/run.js';
import { answerTo } from '#test/support/servers/http-answer.js';
import { endedRun, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const PROJECT = `
project: Answers
tests:
  - name: Quick
    command: ['true']
  - name: Other
    command: ['true']
suites:
  - name: Both
    tests: [Quick, Other]
`;

const send = (url: string, options: http.RequestOptions, body?: string | Buffer) =>
  answerTo(http.request(url, { method: 'POST', ...options }), body);

describe('responses of the webhook endpoints', () => {
  let stack: TestStack;
  let project: ImportedProject;
  let url: string;

  before(async () => {
    stack = await startStack();
    project = await stack.importText(PROJECT);
    url = webhookUrl(stack, project, 'tests', 'Quick');
  });
  after(() => stack?.stop());

  it('is 200 with exactly the fields of the spec', async () => {
    for (const kind of ['tests', 'suites'] as const) {
      const answer = await send(webhookUrl(stack, project, kind, kind === 'tests' ? 'Quick' : 'Both'), {});
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      const run = JSON.parse(answer.body) as RunAnswer;
      expect(Object.keys(run)).to.deep.equal(['id', 'modified', 'status', 'webapp_url']);
      expect(run.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      expect(run.modified).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(run.status).to.equal('queued');
      expect(run.webapp_url).to.equal(`${stack.baseUrl}/runs/${run.id}`);
      expect(answer.headers['x-request-id']).to.be.a('string');
      await endedRun(stack, run.id);
    }
  });

  it('accepts and ignores any body, content type and query up to 64 KiB', async () => {
    const bodies: [string, string | Buffer | undefined][] = [
      ['application/json', '{"broken":'],
      ['application/json', undefined],
      ['application/x-www-form-urlencoded', 'a=1'],
      ['text/xml', '<a/>'],
      ['multipart/form-data', 'no boundary'],
      ['odd; ; type', 'x'],
      ['application/octet-stream', Buffer.alloc(64 * 1024)],
    ];
    for (const [type, body] of bodies) {
      const answer = await send(`${url}?a=1&b[]=%zz`, { headers: { 'content-type': type } }, body);
      expect(answer.status, `${type}: ${answer.body}`).to.equal(200);
    }
    const gzip = await send(url, { headers: { 'content-encoding': 'gzip' } }, 'not gzip');
    expect(gzip.status).to.equal(200);
  });

  it('is the same 404 for all unknown URLs', async () => {
    const foreign = await stack.importText('project: Foreign\ntests:\n  - name: Theirs\n    command: ["true"]\n');
    const { webhookToken } = project;
    const [id, foreignId] = [project.tests.Quick!, foreign.tests.Theirs!];
    const paths = [
      `/webhooks/${newToken('webhook')}/tests/run/${id}`,
      `/webhooks/${webhookToken.slice(0, -1)}x/tests/run/${id}`,
      `/webhooks/short/tests/run/${id}`,
      `/webhooks/${webhookToken}/tests/run/${randomUUID()}`,
      `/webhooks/${webhookToken}/tests/run/not-a-uuid`,
      `/webhooks/${webhookToken}/tests/run/${foreignId}`,
      `/webhooks/${webhookToken}/tests/run/${project.suites.Both}`,
      `/webhooks/${webhookToken}/suites/run/${id}`,
      `/webhooks/${webhookToken}/tests/run/%zz`,
      `/webhooks/%00/tests/run/${id}`,
      `/webhooks/${webhookToken}/tests/run/`,
      `/webhooks/${webhookToken}/tests/run/${id}/more`,
      `/webhooks/${webhookToken}/tests/run/$ne`,
      `/webhooks/${webhookToken}/tests/run/__proto__`,
      `/webhooks/${webhookToken}/tests/run/${'9'.repeat(4000)}`,
      `/webhooks/${webhookToken}`,
      '/webhooks',
    ];
    const answers = await Promise.all(paths.map((path) => send(stack.baseUrl + path, {})));
    const distinct = answers.map(({ status, headers, body }) => {
      const { date: _date, 'x-request-id': _id, ...rest } = headers;
      return JSON.stringify({ status, rest, body });
    });
    expect(answers[0]!.status).to.equal(404);
    expect(JSON.parse(answers[0]!.body)).to.include({ statusCode: 404, error: 'Not Found' });
    distinct.forEach((one, index) => expect(one, paths[index]).to.equal(distinct[0]));

    const runs = await stack.collections.runs.countDocuments({ projectId: foreign.projectId });
    expect(runs).to.equal(0);
  });

  it('is 404 for a revoked token and an archived test', async () => {
    const gone = await stack.importText('project: Gone\ntests:\n  - name: A\n    command: ["true"]\n');
    const goneUrl = webhookUrl(stack, gone, 'tests', 'A');
    expect((await send(goneUrl, {})).status).to.equal(200);
    await stack.importText('project: Gone\ntests:\n  - name: B\n    command: ["true"]\n');
    expect((await send(goneUrl, {})).status).to.equal(404);
    await stack.collections.webhookTokens.updateMany(
      { projectId: gone.projectId },
      { $set: { revokedAt: new Date() } },
    );
    const other = goneUrl.replace(gone.tests.A!, Object.values(gone.tests)[0]!);
    expect((await send(other, {})).status).to.equal(404);
  });

  it('is 405 with Allow: POST for other methods, and starts nothing', async () => {
    const before = await stack.collections.runs.countDocuments({});
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const target of [url, `${stack.baseUrl}/webhooks/wrong/suites/run/wrong`]) {
        const answer = await send(target, { method });
        expect(answer.status, method).to.equal(405);
        expect(answer.headers.allow, method).to.equal('POST');
      }
    }
    expect(await stack.collections.runs.countDocuments({})).to.equal(before);
  });

  it('is 413 above 64 KiB, with a length and without', async () => {
    const body = Buffer.alloc(64 * 1024 + 1);
    expect((await send(url, { headers: { 'content-length': body.length } }, body)).status).to.equal(413);
    expect((await send(url, { headers: { 'transfer-encoding': 'chunked' } }, body)).status).to.equal(413);
  });

  it('is one run for 20 concurrent POSTs with one Idempotency-Key', async () => {
    const key = `deploy 4711 ~${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => trigger(url, { 'idempotency-key': key })));
    const ids = new Set(answers.map((answer) => answer.id));
    expect(ids.size).to.equal(1);
    const id = answers[0]!.id;
    const ended = await endedRun(stack, id);
    const again = await trigger(url, { 'idempotency-key': key });
    expect(again).to.include({ id, status: 'passed', modified: ended.modified.toISOString() });
    const workflows = [];
    for await (const workflow of stack.temporal.workflow.list({ query: `WorkflowId="${id}"` }))
      workflows.push(workflow);
    expect(workflows).to.have.length(1);
  });

  it('is 422 for a key that was used for another target', async () => {
    const key = randomUUID();
    await trigger(url, { 'idempotency-key': key });
    for (const other of [webhookUrl(stack, project, 'tests', 'Other'), webhookUrl(stack, project, 'suites', 'Both')]) {
      const answer = await send(other, { headers: { 'idempotency-key': key } });
      expect(answer.status).to.equal(422);
      expect(answer.body).to.contain('Idempotency-Key');
    }
  });

  it('is 400 for a malformed key', async () => {
    for (const key of ['', 'x'.repeat(256), 'caf\u00e9']) {
      const answer = await send(url, { headers: { 'idempotency-key': key } });
      expect(answer.status, key).to.equal(400);
    }
    expect((await send(url, { headers: { 'idempotency-key': 'x'.repeat(255) } })).status).to.equal(200);
  });

  it('shows the token in no log, no history and no dump of the database', async () => {
    const { webhookToken } = project;
    const { id } = await trigger(`${url}?token=${webhookToken}`);
    await endedRun(stack, id);
    await send(`${stack.baseUrl}/elsewhere/${webhookToken}`, {});
    await send(`${stack.baseUrl}/webhooks/${webhookToken}/%zz`, {});

    const history = JSON.stringify(await stack.temporal.workflow.getHandle(id).fetchHistory());
    const described = JSON.stringify(await stack.temporal.workflow.getHandle(id).describe());
    const dump = await Promise.all(
      Object.values(stack.collections).map(async (collection) => JSON.stringify(await collection.find().toArray())),
    );
    const metrics = await (await fetch(`${stack.opsUrl}/metrics`)).text();
    const places = { log: stack.output(), history, described, dump: dump.join(), metrics };
    const secret = webhookToken.slice(5, 40);
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, place).to.be.greaterThan(100);
      expect(text.includes(secret), `the token is in the ${place}`).to.equal(false);
    }
    expect(stack.server.output).to.contain('/webhooks/{token}/tests/run/{targetId}');
  });
});
