import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import type { Test } from '#src/domain/records.js';
import { aSuiteDefinition } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { getPage, sendForm } from '#test/support/servers/page-client.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';

const FIELDS = {
  name: 'Smoke',
  parallelism: '8',
  onFailure: 'stop',
  overlap: 'queue',
  retryFailed: '1',
  timeoutMs: '2h',
  priority: '1',
};
const MANY = 3000;

describe('suite pages', () => {
  let real: RealServer;
  let editor: TestPerson;
  let tests: Test[];
  const projectId = randomId();
  const list = `/projects/${projectId}/suites`;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
    const { collections } = real;
    await collections.projects.insertOne({
      _id: projectId,
      name: 'Shop',
      slug: projectId,
      revision: 1,
      createdAt: new Date(),
    });
    editor = await addPerson(collections, { roles: { [projectId]: 'editor' } });
    tests = Array.from({ length: MANY }, (_, index) => aTest({ projectId, name: `Test <${index}>` }));
    await collections.tests.insertMany(tests);
    // Database connections are opened at the first request.
    await eventually(async () => (await get(list)).status === 200 || undefined);
  });

  after(() => real.close());

  const get = (url: string) => getPage(real.server, editor, url);
  const send = (url: string, fields: Record<string, string>) => sendForm(real.server, editor, url, fields);
  const ids = (...places: number[]) => places.map((place) => tests[place]!._id);

  async function make(fields: Record<string, string>): Promise<string> {
    const { status, location, html } = await send(`${list}/new`, { ...FIELDS, name: randomId(), ...fields });
    expect(status, html).to.equal(303);
    return location!.replace('/suites/', '');
  }

  it('create a suite with its tests in order', async () => {
    const expected = ids(2, 0, 2);
    const _id = await make({ tests: expected.join('\r\n') });
    const suite = await real.collections.suites.findOne({ _id });
    expect(suite?.definition).to.eql({
      tests: expected,
      parallelism: 8,
      onFailure: 'stop',
      retryFailed: 1,
      timeoutMs: 7_200_000,
      overlap: 'queue',
      priority: 1,
    });
    const { html } = await get(`/suites/${_id}`);
    expect(html).to.include('3 tests, 8 concurrently').and.to.include('Stop starting tests');
    expect(html.indexOf('Test &lt;2>')).to.be.greaterThan(0).and.lessThan(html.indexOf('Test &lt;0>'));
  });

  it('show errors of the tests, and keep them', async () => {
    const stranger = randomId();
    const none = await send(`${list}/new`, { ...FIELDS, tests: '' });
    expect(none.status).to.equal(400);
    expect(none.html).to.include('Add at least one test');
    const { status, html } = await send(`${list}/new`, { ...FIELDS, tests: [...ids(1), stranger].join('\n') });
    expect(status).to.equal(400);
    expect(html)
      .to.match(/id="tests-problem">[^<]*no test/)
      .and.to.include('Test &lt;1>');
    expect(html).to.include(`${ids(1)[0]}\n${stranger}</textarea>`);
  });

  it('show the current values after concurrent changes, in words', async () => {
    const _id = await make({ tests: ids(0).join('\n') });
    const fields = { ...FIELDS, name: randomId(), revision: '1', tests: ids(0).join('\n') };
    const theirs = { ...fields, tests: ids(1, 2).join('\r\n'), onFailure: 'continue', priority: '' };
    expect((await send(`/suites/${_id}/edit`, theirs)).status).to.equal(303);
    const { status, html } = await send(`/suites/${_id}/edit`, fields);
    expect(status).to.equal(412);
    expect(html)
      .to.include('id="tests-problem">Current value: Test &lt;1>, Test &lt;2><')
      .and.include('id="onFailure-problem">Current value: Continue with the other tests<')
      .and.include('id="priority-problem">Current value: Depends on the trigger<')
      .and.include(`${ids(0)[0]}</textarea>`)
      .and.not.include('id="overlap-problem"');
  });

  it('clear its limits again', async () => {
    const _id = await make({ tests: ids(0).join('\n') });
    const fields = {
      ...FIELDS,
      name: 'No limits',
      revision: '1',
      tests: ids(1).join('\n'),
      timeoutMs: '',
      priority: '',
    };
    expect((await send(`/suites/${_id}/edit`, fields)).status).to.equal(303);
    const suite = await real.collections.suites.findOne({ _id });
    expect(suite?.definition).to.eql(
      aSuiteDefinition({ tests: ids(1), parallelism: 8, onFailure: 'stop', overlap: 'queue', retryFailed: 1 }),
    );
  });

  it('support thousands of tests', async () => {
    const _id = await make({ tests: tests.map((test) => test._id).join('\n') });
    const shown = await get(`/suites/${_id}`);
    expect(shown.html).to.include('3000 tests').and.to.include('Test &lt;99>').and.not.to.include('Test &lt;100>');
    expect((await get(`/suites/${_id}?tests=all`)).html).to.include('Test &lt;2999>');
    const { html } = await get(`/suites/${_id}/edit`);
    const names = /data-names="([^"]*)"/.exec(html)![1]!.replaceAll('&quot;', '"').replaceAll('&lt;', '<');
    expect(JSON.parse(names)).to.have.length(MANY).and.to.include('Test <2999>');
  });
});
