import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { TestRun } from '#src/domain/runs/run.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { startShopApi } from '#test/fixtures/http/shop-api.js';
import { allText } from '#test/support/all-text.js';
import { apiClient } from '#test/support/servers/api-client.js';
import { endedRun, startStack, type TestStack } from '#test/support/stack.js';

const project = (url: string, refused: string) => `
project: Shop API
tests:
  - name: Orders
    runner: http
    baseUrl: "{{API}}"
    env: { API: "${url}" }
    headers: { X-Secret: "{{SECRET}}" }
    requests:
      - name: Create
        method: POST
        url: /orders
        json: { quantity: 2, note: "{{SECRET}}", $set: 1.50, "a.b": "007" }
        expect:
          status: 201
          json: [{ path: $.total, equals: 25 }]
          schema: { $schema: "https://json-schema.org/draft/2020-12/schema", $ref: "#/$defs/order", $defs: { order: { required: [id] } } }
        capture: { ORDER: { json: $.id }, TOKEN: { json: $.token, secret: true } }
      - url: /orders/{{ORDER}}
        headers: { X-Order-Token: "{{TOKEN}}" }
        expect: { json: [{ path: "$.items[*]", count: 2 }] }
      - { method: POST, url: /echo, query: { s: "{{SECRET}}" }, json: { total: 1.50, sku: "007", s: "{{SECRET}}", t: "{{TOKEN}}" } }
      - { url: "/echo/{{SECRET}}/{{TOKEN}}", expect: { status: 200, text: { contains: coffee } } }
      - { url: /never }
  - { name: Inside, runner: http, requests: [{ url: "${refused}" }] }
`;

describe('HTTP test', function () {
  this.timeout(60_000);
  const secret = `canary-${randomBytes(12).toString('hex')}`;
  let api: Awaited<ReturnType<typeof startShopApi>>;
  let stack: TestStack;
  let imported: ImportedProject;
  const runs: Record<string, TestRun> = {};

  before(async function () {
    this.timeout(600_000);
    api = await startShopApi();
    stack = await startStack({
      workerEnv: { RUNHOOK_PRIVATE_NETWORKS: 'refuse', RUNHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
    });
    imported = await stack.importText(project(api.url, `http://127.0.0.2:${api.port}/echo`));
    const call = apiClient(stack.baseUrl, stack.admin.apiToken);
    for (const name of ['Orders', 'Inside']) {
      const variables = [{ key: 'SECRET', value: secret, isSecret: true }];
      const { status, body } = await call('POST', '/testruns/', { testId: imported.tests[name], variables });
      expect(status, JSON.stringify(body)).to.equal(201);
      runs[name] = (await endedRun(stack, body.id as string, 40_000)) as TestRun;
    }
  });
  after(async () => {
    await stack?.stop();
    await api?.close();
  });

  it('sends its requests in order until one fails, and reports why', () => {
    const [created, read, echoed, last, ...more] = api.seen;
    expect(more).to.deep.equal([]);
    expect(JSON.parse(created!.body)).to.deep.equal({ quantity: 2, note: secret, $set: 1.5, 'a.b': '007' });
    expect(read).to.include({ url: '/orders/7' });
    expect(JSON.parse(echoed!.body)).to.include({ total: 1.5, sku: '007', s: secret });
    expect(last).to.include({ method: 'GET' });
    const verdict = runs.Orders!.attempts[0]!.verdict!;
    expect(runs.Orders).to.include({ status: 'failed' });
    expect(verdict.errorMessage).to.match(
      /^Request 4, GET \/echo\/\*\*\*\/\*\*\*: expected the response to contain "coffee", but it was /,
    );
  });

  it('shows its requests as steps', async () => {
    const steps = await stack.collections.runSteps.find({ runId: runs.Orders!._id }).sort({ number: 1 }).toArray();
    expect(steps.map(({ status }) => status)).to.deep.equal(['passed', 'passed', 'passed', 'failed', 'skipped']);
    expect(steps[0]!.title).to.match(/^Create: POST \/orders → 201 in \d+ ms$/);
  });

  it('shows its secrets nowhere, neither variables nor captured values', async () => {
    for (const hidden of [secret, 'order-token-7f3a9c']) {
      for (const collection of Object.values(stack.collections)) {
        const documents = JSON.stringify(await collection.find().toArray());
        expect(documents.includes(hidden), collection.collectionName).to.equal(false);
      }
      for await (const { workflowId, runId } of stack.temporal.workflow.list()) {
        const history = await stack.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
        expect(allText(history).includes(hidden), workflowId).to.equal(false);
      }
      expect(stack.output().includes(hidden)).to.equal(false);
    }
    const lines = await stack.collections.runLogs.find({ runId: runs.Orders!._id }).toArray();
    expect(lines.map(({ text }) => text))
      .to.include('> x-order-token: ***')
      .and.include('> x-secret: ***');
  });

  it('does not reach addresses that the worker refuses', () => {
    expect(runs.Inside).to.include({ status: 'error', errorCode: 'NETWORK_REFUSED' });
    expect(runs.Inside!.attempts[0]!.verdict!.errorMessage).to.match(/^127\.0\.0\.2 is not allowed as a destination/);
  });
});
