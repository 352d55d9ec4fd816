import { expect } from 'chai';
import { startWireProxy, weaknessOf, type WireProxy } from '#test/support/mongodb/mongodb-wire.js';
import { endedRun, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';
import { eventually } from '#test/support/eventually.js';

const PROJECT = `
project: Durable
tests:
  - { name: Prints, command: [sh, -c, 'echo out > report.txt; echo hello'], artifacts: ["*.txt"] }
  - { name: Fails, command: ["false"] }
suites:
  - { name: Both, tests: [Prints, Fails], overlap: queue }
`;

describe('access to a replica set', () => {
  let stack: TestStack;
  let proxy: WireProxy;
  /** The same database as a replica set, with a connection string that requests less. */
  const urlOf = (query: string) => `mongodb://127.0.0.1:${proxy.port}/?${query}`;

  before(async () => {
    stack = await startStack({
      mongodbUrlFor: async (url) => {
        proxy = await startWireProxy(Number(new URL(url).port), 'replica set');
        return urlOf('readPreference=secondaryPreferred&readConcernLevel=available&w=2&journal=false');
      },
    });
  });
  after(async () => {
    await stack?.stop();
    await proxy?.close();
  });

  it('is durable and from the primary: for a run, a suite, a replayed key and their pages', async () => {
    const project = await stack.importText(PROJECT);
    const test = webhookUrl(stack, project, 'tests', 'Prints');
    const { id } = await trigger(test, { 'idempotency-key': 'once' });
    expect((await endedRun(stack, id)).status).to.equal('passed');
    const suite = await trigger(webhookUrl(stack, project, 'suites', 'Both'));
    expect((await endedRun(stack, suite.id)).status).to.equal('failed');

    const before = proxy.commands.length;
    expect((await trigger(test, { 'idempotency-key': 'once' })).id).to.equal(id);
    const lookUps = proxy.commands
      .slice(before)
      .filter(({ name, body }) => name === 'find' && body.find === 'runs' && body.filter._id?.$in?.includes(id));
    expect(lookUps.map(({ body }) => body.readConcern)).to.deep.equal([{ level: 'majority' }]);

    const { sessionHeaders } = stack.admin;
    for (const path of [`/runs/${id}`, `/runs/${suite.id}`, '/'])
      await fetch(`${stack.baseUrl}${path}`, { headers: sessionHeaders, redirect: 'manual' });

    const sent = proxy.commands.map(({ name }) => name);
    expect(sent).to.include.members(['insert', 'update', 'find', 'aggregate', 'findAndModify']);
    expect([...new Set(proxy.commands.map(weaknessOf).filter(Boolean))]).to.deep.equal([]);
  });

  it('is refused with w=1 in the connection string: the server stays unready, the worker exits', async () => {
    const MONGODB_URL = urlOf('w=1');
    await Promise.all([stack.server.kill('SIGTERM'), stack.worker.kill('SIGTERM')]);
    const sent = proxy.commands.length;
    await stack.server.start({ MONGODB_URL });
    const reason = await eventually(async () => {
      const { status, dependencies } = (await (await fetch(`${stack.opsUrl}/readyz`)).json()) as {
        status: string;
        dependencies: { mongodb: { message?: string } };
      };
      expect(status).to.equal('not ready');
      return dependencies.mongodb.message?.includes('w=1') ? dependencies.mongodb.message : undefined;
    });
    expect(reason).to.contain('Remove w=1');
    expect(stack.server.output).to.contain('Remove w=1');
    // It may exit before or after it was ready.
    void stack.worker.start({ MONGODB_URL }).catch(() => {});
    await eventually(() => !isRunning(stack.worker.pid) || undefined);
    expect(stack.worker.output).to.contain('Remove w=1');
    const names = new Set(proxy.commands.slice(sent).map(({ name }) => name));
    expect([...names].filter((name) => !['hello', 'ismaster', 'isMaster', 'endSessions'].includes(name))).to.deep.equal(
      [],
    );
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
