import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import { open } from '#src/domain/variables/secret-box.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { createVariablesOfRun } from '#src/services/variables/variables-of-run.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { aSchedule } from '#test/builders/schedule.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { runServer, type RunServer } from '#test/src/server/routes/api/runs/run-server.js';

describe('API: variable sets', () => {
  let api: RunServer;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    api = await runServer();
  });
  afterEach(() => api.collections.variableSets.deleteMany({ projectId: api.projectId }));

  const variableSetsPath = () => `/projects/${api.projectId}/profiles/`;
  const secret = (key: string, value?: string | null) => ({ key, value, isSecret: true });
  async function made(body: object, headers?: Record<string, string>) {
    const answer = await api.call('POST', variableSetsPath(), body, headers);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  }
  const record = async (id: string) => (await api.collections.variableSets.findOne({ _id: id }))!;

  it('are created, listed and returned, without secret values', async () => {
    const variables = [{ key: 'BASE', value: '' }, secret('PASSWORD', 'hunter22')];
    const variableSet = await made({ name: ' Staging ', variables });
    expect(variableSet).to.include({ name: 'Staging', isDefault: false, revision: 1, projectId: api.projectId });
    expect(variableSet.variables).to.deep.equal([
      { key: 'BASE', value: '', isSecret: false },
      { key: 'PASSWORD', value: null, isSecret: true },
    ]);
    const shown = await api.call('GET', `/profiles/${variableSet.id}/`, undefined, api.viewer.tokenHeaders);
    expect(shown.body).to.deep.equal(variableSet);
    expect(shown.headers.etag).to.equal('"1"');
    expect((await api.call('GET', variableSetsPath())).body.results).to.deep.equal([variableSet]);
    const { variables: kept } = await record(variableSet.id);
    expect(JSON.stringify(kept)).not.to.contain('hunter22');
    expect(open(api.secretKeys, kept[1]!.sealed!)).to.equal('hunter22');
    const entry = await api.collections.audit.findOne({ 'target.id': variableSet.id });
    expect(entry).to.deep.include({ action: 'profile.create', details: { variables: ['BASE', 'PASSWORD'] } });
  });

  it('have names that cannot be confused', async () => {
    const variableSet = await made({ name: 'Caf\u00e9' });
    for (const name of ['\u2060', 'Caf\u00e9\u200b', 'Caf\u00ad\u00e9', 'Two\nlines']) {
      const refused = [
        await api.call('POST', variableSetsPath(), { name }),
        await api.call('PATCH', `/profiles/${variableSet.id}/`, { name }, { 'if-match': '*' }),
      ];
      for (const { status, body } of refused)
        expect([status, body.fields?.[0].field], name).to.deep.equal([400, 'name']);
    }
    // The same letters in another normal form.
    expect((await api.call('POST', variableSetsPath(), { name: 'Cafe\u0301' })).status).to.equal(409);
  });

  it('are created once per key', async () => {
    const key = { 'idempotency-key': randomId() };
    const body = { name: 'Once', isDefault: true, variables: [secret('P', 'hunter22')] };
    const variableSet = await made(body, key);
    const again = await api.call('POST', variableSetsPath(), body, key);
    expect([again.status, again.body]).to.deep.equal([200, variableSet]);
    expect(await api.collections.audit.countDocuments({ 'target.id': variableSet.id })).to.equal(1);
    expect((await api.call('POST', variableSetsPath(), { ...body, variables: [] }, key)).status).to.equal(422);
  });

  it('reject a duplicate name, a secret without a value, and invalid input', async () => {
    await made({ name: 'Taken' });
    const other = await made({ name: 'Other' });
    const taken = [
      await api.call('POST', variableSetsPath(), { name: 'Taken' }),
      await api.call('PATCH', `/profiles/${other.id}/`, { name: 'Taken' }, { 'if-match': '*' }),
    ];
    for (const { status, body } of taken) expect([status, body.code]).to.deep.equal([409, 'name_taken']);
    const wrong = [{ name: '' }, { name: 'A', variables: [secret('P')] }, { name: 'A', variables: [{ key: 'X' }] }];
    for (const body of wrong) expect((await api.call('POST', variableSetsPath(), body)).status).to.equal(400);
    expect((await api.call('POST', variableSetsPath(), { name: 'B' }, api.viewer.tokenHeaders)).status).to.equal(403);
    expect((await api.call('GET', variableSetsPath(), undefined, api.stranger.tokenHeaders)).status).to.equal(404);
  });

  it('are changed with the current revision; a secret without a value keeps its value', async () => {
    const { id } = await made({ name: 'P', variables: [secret('A', 'first-secret'), secret('B', 'second')] });
    const change = (match: string | undefined, body: object) =>
      api.call('PATCH', `/profiles/${id}/`, body, match ? { 'if-match': match } : {});
    expect((await change(undefined, { name: 'Q' })).status).to.equal(428);
    const variables = [secret('A', null), { key: 'B', value: 'plain now' }];
    const changed = await change('"1"', { variables });
    expect(changed.body).to.include({ revision: 2, name: 'P' });
    expect(changed.headers.etag).to.equal('"2"');
    const kept = (await record(id)).variables;
    expect(open(api.secretKeys, kept[0]!.sealed!)).to.equal('first-secret');
    expect(kept[1]).to.deep.equal({ key: 'B', isSecret: false, value: 'plain now' });
    expect((await change('"1"', { name: 'Q' })).status).to.equal(412);
    expect((await change('"2"', { variables: [secret('B')] })).status).to.equal(400);
    expect((await change('*', {})).status).to.equal(400);
  });

  it('have at most one default, under concurrent requests too', async () => {
    const first = await made({ name: 'First', isDefault: true });
    const second = await made({ name: 'Second', isDefault: true });
    expect(second.isDefault).to.equal(true);
    expect((await record(first.id)).isDefault).to.equal(false);
    const others = await Promise.all(['Third', 'Fourth'].map((name) => made({ name })));
    const answers = await Promise.all(
      others.map(({ id }) => api.call('PATCH', `/profiles/${id}/`, { isDefault: true }, { 'if-match': '*' })),
    );
    expect(answers.some(({ status }) => status === 200)).to.equal(true);
    expect(await api.collections.variableSets.countDocuments({ projectId: api.projectId, isDefault: true })).to.equal(
      1,
    );
  });

  it('are deleted', async () => {
    const { id } = await made({ name: 'Gone' });
    const remove = (match: string) => api.call('DELETE', `/profiles/${id}/`, undefined, { 'if-match': match });
    expect((await remove('"7"')).status).to.equal(412);
    expect((await remove('"1"')).status).to.equal(204);
    expect((await remove('*')).status).to.equal(404);
  });

  it('are not deleted while schedules use them: the error lists the schedules', async () => {
    const { id } = await made({ name: 'Scheduled' });
    const schedule = aSchedule({ projectId: api.projectId, name: 'Nightly', definition: { runProfileId: id } });
    await api.collections.schedules.insertOne(schedule);
    const remove = () => api.call('DELETE', `/profiles/${id}/`, undefined, { 'if-match': '*' });
    const { status, body } = await remove();
    expect([status, body.code]).to.deep.equal([409, 'in_use']);
    expect(body.message).to.include('"Nightly"');
    expect(await record(id)).to.include({ name: 'Scheduled' });
    await api.collections.schedules.updateOne({ _id: schedule._id }, { $set: { archivedAt: new Date() } });
    expect((await remove()).status).to.equal(204);
  });

  describe('for a test', () => {
    const read = (run: TestRun, keys = api.secretKeys) => createVariablesOfRun(api.collections, keys)(run);
    const inProject = (some: Partial<TestRun> = {}) => aTestRun({ projectId: api.projectId, ...some });
    const plain = (key: string, value: string) => ({ key, value, isSecret: false });

    it('are merged: the default set, then the chosen one, then the run’s own', async () => {
      await made({
        name: 'Default',
        isDefault: true,
        variables: [plain('A', 'd'), plain('B', 'd'), secret('S', 'deep-secret')],
      });
      const chosen = await made({ name: 'Chosen', variables: [plain('B', 'c'), plain('C', 'c')] });
      const run = inProject({ profileId: chosen.id, variables: [plain('C', 'r'), plain('S', 'public')] });
      expect(await read(run)).to.deep.equal({
        values: { A: 'd', B: 'c', C: 'r', S: 'public' },
        // Overridden, but still masked.
        secrets: ['deep-secret'],
      });
      expect(await read(aTestRun())).to.deep.equal({ values: {}, secrets: [] });
    });

    it('are those of the suite run for a test of a suite', async () => {
      const suiteRun = aSuiteRun({ projectId: api.projectId, variables: [plain('A', 'suite')] });
      await api.collections.runs.insertOne(suiteRun);
      const run = inProject({ suiteRunId: suiteRun._id, position: 0 });
      expect(await read(run)).to.deep.equal({ values: { A: 'suite' }, secrets: [] });
    });

    it('are read once for concurrent tests of a suite, and again after a failure', async () => {
      const suiteRun = aSuiteRun({ projectId: api.projectId, variables: [plain('A', 'suite')] });
      await api.collections.runs.insertOne(suiteRun);
      const test = inProject({ suiteRunId: suiteRun._id, position: 0 });
      let lookUps = 0;
      let failing = true;
      const runs = {
        findOne: (...given: Parameters<typeof api.collections.runs.findOne>) => {
          lookUps++;
          return failing ? Promise.reject(new Error('unavailable')) : api.collections.runs.findOne(...given);
        },
      } as unknown as typeof api.collections.runs;
      const readCounted = createVariablesOfRun({ variableSets: api.collections.variableSets, runs }, api.secretKeys);
      expect(await readCounted(test).catch((error: Error) => error.message)).to.equal('unavailable');
      failing = false;
      const all = await Promise.all([readCounted(test), readCounted(test), readCounted(test)]);
      expect(all).to.deep.equal(Array(3).fill({ values: { A: 'suite' }, secrets: [] }));
      expect(await readCounted(test)).to.deep.equal(all[0]);
      expect(lookUps).to.equal(2);
    });

    it('report the variable that cannot be decrypted, and why', async () => {
      const { id } = await made({ name: 'Lost', variables: [secret('PASSWORD', 'hunter22')] });
      const run = inProject({ profileId: id, profileName: 'Lost' });
      const unreadable = async (keys?: Buffer[]) => ((await read(run, keys)) as { unreadable: string }).unreadable;
      expect(await unreadable([Buffer.alloc(32, 9)])).to.match(/PASSWORD.*RUNHOOK_SECRET_KEYS/);
      await api.call('DELETE', `/profiles/${id}/`, undefined, { 'if-match': '*' });
      expect(await read(run)).to.have.property('errorCode', 'VARIABLE_SET_MISSING');
      expect(await unreadable()).to.match(/"Lost".*deleted/);
      expect(await read(inProject({ variables: [] }), [])).not.to.have.property('errorCode');
    });
  });
});
