import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { apiClient, followLog, type ApiCall } from '#test/support/servers/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { addPerson } from '#test/support/people.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

/** Waits for the file in GATE; prints its variables. */
const PROJECT = `
project: Runs by the API
tests:
  - { name: Quick, command: ['true'] }
  - { name: Gated, command: [sh, -c, 'echo waiting; while [ ! -e "$GATE" ]; do sleep 0.05; done; echo done'] }
  - { name: Shows, command: [sh, -c, 'echo "$A $B $C $RUNHOOK_RUN_ID"; echo "$C" | base64 >&2'], env: { A: test, B: test } }
  - { name: Fails unless B, command: [sh, -c, '[ "$B" = run ]'] }
suites:
  - { name: All, tests: [Quick, Shows, Fails unless B, Quick] }
  - { name: Slow, tests: [Gated, Gated], parallelism: 1 }
`;

describe('runs started by the API', function () {
  this.timeout(60_000);
  let stack: TestStack;
  let project: ImportedProject;
  let call: ApiCall;

  before(async function () {
    this.timeout(600_000);
    stack = await startStack({ workerEnv: { RUNHOOK_SLOTS: '1' } });
    project = await stack.importText(PROJECT);
    const person = await addPerson(stack.collections, { roles: { [project.projectId]: 'editor' } });
    call = apiClient(stack.baseUrl, person.apiToken);
  });
  after(() => stack?.stop());

  async function start(name: string, more: object = {}, kind: TargetKind = 'test') {
    const { status, body } = await call('POST', `/${kind}runs/`, {
      [`${kind}Id`]: project[`${kind}s`][name],
      ...more,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body;
  }
  const gate = (name: string) => join(stack.folder, name);
  const gatedBy = (name: string) => ({ variables: [{ key: 'GATE', value: gate(name) }] });

  it('pass, and their log can be followed to the end', async () => {
    const { id } = await start('Gated', gatedBy('follow'));
    const following = followLog(call, id);
    await runWithStatus(stack, id, 'running');
    await writeFile(gate('follow'), '');
    expect(await following).to.deep.equal(['stdout waiting', 'stdout done']);
    const { body } = await call('GET', `/testruns/${id}/`);
    expect(body).to.include({ status: 'passed', attempt: 1 });
    expect(body.triggeredBy.type).to.equal('api');
  });

  it('receive the variables of the default set, the chosen one and their own, with secrets masked', async () => {
    const profiles = `/projects/${project.projectId}/profiles/`;
    const secret = { key: 'C', value: 'correct-horse-battery', isSecret: true };
    const standard = await call('POST', profiles, { name: 'Default', isDefault: true, variables: [secret] });
    const chosen = await call('POST', profiles, { name: 'Chosen', variables: [{ key: 'B', value: 'chosen' }] });
    try {
      const { id } = await start('Shows', { runProfileId: chosen.body.id, variables: [{ key: 'A', value: 'run' }] });
      expect(await followLog(call, id)).to.have.members([`stdout run chosen *** ${id}`, 'stderr ***']);
      // A webhook's run receives the default set too.
      const webhook = await trigger(webhookUrl(stack, project, 'tests', 'Shows'));
      expect(await followLog(call, webhook.id)).to.include(`stdout test test *** ${webhook.id}`);
    } finally {
      for (const { body } of [standard, chosen])
        await call('DELETE', `/profiles/${body.id}/`, undefined, { 'if-match': '*' });
    }
  });

  it('of a suite pass their variables to its tests; failed tests are run again, alone', async () => {
    const { id } = await start('All', {}, 'suite');
    expect((await endedRun(stack, id)).status).to.equal('failed');
    const { body: shown } = await call('GET', `/suiteruns/${id}/`);
    expect(shown.counts).to.include({ passed: 3, failed: 1 });
    const { status, body } = await call('POST', `/suiteruns/${id}/rerun-failed/`);
    expect([status, body.rerunOf]).to.deep.equal([201, id]);
    expect((await endedRun(stack, body.id)).counts).to.include({ passed: 0, failed: 1 });

    const good = await start('All', { variables: [{ key: 'B', value: 'run' }] }, 'suite');
    expect((await endedRun(stack, good.id)).status).to.equal('passed');
    const again = await call('POST', `/suiteruns/${good.id}/rerun/`);
    expect((await endedRun(stack, again.body.id)).counts).to.include({ passed: 4, failed: 0 });
  });

  it('are stopped, with the processes that they started', async () => {
    const { id } = await start('Slow', gatedBy('never'), 'suite');
    await eventually(
      async () => (await stack.collections.runs.findOne({ suiteRunId: id, status: 'running' })) ?? undefined,
    );
    const { status, body } = await call('POST', `/suiteruns/${id}/stop/`);
    expect([status, body.id]).to.deep.equal([200, id]);
    expect((await endedRun(stack, id)).status).to.equal('stopped');
    const { body: over } = await call('GET', `/suiteruns/${id}/`);
    expect(over.counts).to.include({ stopped: 1, skipped: 1 });
    expect((await call('POST', `/suiteruns/${id}/stop/`)).body.status).to.equal('stopped');
    const rerun = await call('POST', `/testruns/${over.testRuns[1].id}/rerun/`);
    expect(rerun.body).to.include({ rerunOf: over.testRuns[1].id, suiteRunId: null });
    await runWithStatus(stack, rerun.body.id, 'running');
    await call('POST', `/testruns/${rerun.body.id}/stop/`);
    expect((await endedRun(stack, rerun.body.id)).status).to.equal('stopped');
  });

  it('take precedence over those of webhooks', async () => {
    const blocking = await start('Gated', gatedBy('priority'));
    await runWithStatus(stack, blocking.id, 'running');
    const webhooks = [];
    for (let index = 0; index < 5; index++) webhooks.push(await trigger(webhookUrl(stack, project, 'tests', 'Quick')));
    const { id } = await start('Quick', { triggeredBy: 'cli' });
    // All wait for the one slot.
    for (const run of [...webhooks, { id }])
      await eventually(async () => {
        const { raw } = await stack.temporal.workflow.getHandle(run.id).describe();
        return raw.pendingActivities?.length || undefined;
      });
    await writeFile(gate('priority'), '');
    const first = await endedRun(stack, id);
    const others = await Promise.all(webhooks.map((run) => endedRun(stack, run.id)));
    const before = others.filter(({ startedAt }) => startedAt! < first.startedAt!);
    // One may already be assigned to the worker.
    expect(before.length).to.be.at.most(1);
  });

  it('are stopped before their start while Temporal is down, and never start', async () => {
    let pending = '';
    await stack.restartTemporal(async () => {
      const { id } = await start('Quick');
      const { status, body } = await call('POST', `/testruns/${id}/stop/`);
      expect([status, body.status]).to.deep.equal([200, 'stopped']);
      pending = id;
    });
    const { id } = await start('Quick');
    expect((await endedRun(stack, id, 40_000)).status).to.equal('passed');
    const { body } = await call('GET', `/testruns/${pending}/`);
    expect(body).to.include({ status: 'stopped', started: null, attempt: 0 });
  });
});
