import { expect } from 'chai';
import { newTest } from '#src/domain/targets/definition-schemas.js';
import type { BrowserTest } from '#src/domain/targets/definitions.js';
import { randomId } from '#src/domain/ids.js';
import type { Test } from '#src/domain/records.js';
import { aTestDefinition } from '#test/builders/run.js';
import { aTest } from '#test/builders/test.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { getPage, sendForm } from '#test/support/servers/page-client.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';

const FIELDS = {
  name: 'Checkout works',
  command: `npx playwright test 'my shop.spec.ts'`,
  cwd: '/srv/checks',
  env: 'BASE=http://127.0.0.1\nEMPTY=',
  timeoutMs: '90s',
  retries: '2',
  pool: 'default',
};

/** Fields of every runner type. */
const COMMON = { name: 'Looks right', env: '', timeoutMs: '90s', retries: '0', pool: 'default' };

/** The content of a text area in a browser, without the line feed after its tag. */
function textOf(html: string, name: string): string {
  const text = new RegExp(`<textarea[^>]* name="${name}"[^>]*>([^<]*)<`).exec(html)![1]!;
  return text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

describe('test pages', () => {
  let real: RealServer;
  let editor: TestPerson;
  let viewer: TestPerson;
  let stranger: TestPerson;
  const projectId = randomId();
  const list = `/projects/${projectId}/tests`;

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
    viewer = await addPerson(collections, { roles: { [projectId]: 'viewer' } });
    stranger = await addPerson(collections);
    // Database connections are opened at the first request.
    await eventually(async () => (await get(list)).status === 200 || undefined);
  });

  after(() => real.close());

  afterEach(() => real.collections.tests.deleteMany({ projectId }));

  async function add(some: Partial<Test> = {}): Promise<Test> {
    const test = aTest({ projectId, ...some });
    await real.collections.tests.insertOne(test);
    return test;
  }
  const saved = (id: string) => real.collections.tests.findOne({ _id: id });
  const get = (url: string, person = editor) => getPage(real.server, person, url);
  const send = (url: string, fields?: Record<string, string>, person = editor) =>
    sendForm(real.server, person, url, fields);

  it('return 404 for strangers', async () => {
    const { _id } = await add();
    for (const url of [list, `/tests/${_id}`, `/tests/${_id}/edit`])
      expect((await get(url, stranger)).status, url).to.equal(404);
    for (const url of [`/tests/${_id}/edit`, `${list}/new`]) expect((await get(url, viewer)).status, url).to.equal(403);
    expect((await send(`/tests/${_id}/run`, {}, viewer)).status).to.equal(403);
  });

  it('explain how to begin', async () => {
    expect((await get(list)).html)
      .to.include('No tests yet')
      .and.to.include(`href="${list}/new"`);
    expect((await get(list, viewer)).html)
      .to.include('An editor of this project')
      .and.not.to.include(`${list}/new`);
  });

  it('list tests by name, escaped, with the viewer’s actions', async () => {
    const [b, a] = [await add({ name: 'B <script>b' }), await add({ name: 'A' })];
    const { html } = await get(list);
    expect(html).not.to.include('<script>b');
    expect(html.indexOf(`/tests/${a._id}"`)).to.be.lessThan(html.indexOf(`/tests/${b._id}"`));
    expect(html).to.include(`action="/tests/${a._id}/run"`).and.to.include(`/tests/${a._id}/run-from-outside`);
    const seen = (await get(list, viewer)).html;
    expect(seen)
      .to.include(`/tests/${a._id}"`)
      .and.not.to.match(/\/(run|edit|archive|new|run-from-outside)"/);
  });

  it('search by part of the name, in pages', async () => {
    for (let index = 10; index < 65; index++) await add({ name: `Test ${index}` });
    const first = await get(list);
    const next = /href="([^"]*cursor=[^"]*)" rel="next"/.exec(first.html)?.[1];
    expect(first.html).to.include('55 tests').and.to.include('>Test 59<').and.not.to.include('>Test 60<');
    expect((await get(next!.replaceAll('&amp;', '&'))).html)
      .to.include('>Test 64<')
      .and.not.to.include('>Test 59<');
    const found = (await get(`${list}?search=t+6&verdict=&sort=`)).html;
    expect(found).to.include('5 tests').and.to.include('>Test 63<').and.not.to.include('>Test 16<');
    expect((await get(`${list}?search=nowhere`)).html).to.include('No test fits');
  });

  it('list by verdict with statistics', async () => {
    const { _id } = await add({ name: 'Broken' });
    await add({ name: 'Never run' });
    const run = { runId: randomId(), status: 'failed' as const, durationMs: 1500, endedAt: new Date() };
    await real.collections.targetStats.insertOne({
      _id,
      projectId,
      kind: 'test',
      status: 'failed',
      lastEndedAt: run.endedAt,
      passRate: 0.5,
      medianMs: 1500,
      recent: [{ ...run, status: 'passed' }, run],
      flips: [],
      mark: run.endedAt,
    });
    const { html } = await get(`${list}?verdict=bad`);
    expect(html).to.include('Broken').and.to.include('50 %').and.to.include(`/runs/${run.runId}`);
    expect(html).to.include('Duration of the last 2 runs: 1.5 s to 1.5 s, the last 1.5 s; 1 did not pass.');
    expect(html).not.to.include('Never run');
    expect((await get(`${list}?verdict=passed`)).html).not.to.include('Broken');
    expect((await get(`${list}?sort=duration`)).html).to.include('Broken');
  });

  it('create a test', async () => {
    expect((await get(`${list}/new`)).html).to.include('name="command"');
    const made = await send(`${list}/new`, FIELDS);
    expect(made.status, made.html).to.equal(303);
    const test = await saved(made.location!.replace('/tests/', ''));
    expect(test).to.deep.include({ name: 'Checkout works', projectId, revision: 1 });
    expect(test?.definition).to.eql({
      ...aTestDefinition(),
      command: ['npx', 'playwright', 'test', 'my shop.spec.ts'],
      cwd: '/srv/checks',
      env: { BASE: 'http://127.0.0.1', EMPTY: '' },
      timeoutMs: 90_000,
      retries: 2,
    });
    expect(made.notice).to.include('“Checkout works”');
  });

  it('keep one argument per line unchanged', async () => {
    const made = await send(`${list}/new`, { ...FIELDS, command: 'sh\r\n-c\r\na && b', commandIsLines: 'true' });
    expect((await saved(made.location!.replace('/tests/', '')))?.definition).to.have.deep.property('command', [
      'sh',
      '-c',
      'a && b',
    ]);
  });

  it('show errors at their fields, and keep the input', async () => {
    const wrong = {
      name: ' ',
      command: 'a | b',
      cwd: 'checks',
      env: 'nonsense',
      timeoutMs: 'soon',
      retries: '99',
      pool: 'X',
    };
    const { status, html } = await send(`${list}/new`, wrong);
    expect(status).to.equal(400);
    expect(html).to.include('fix the highlighted fields');
    for (const name of Object.keys(wrong)) expect(html, name).to.include(`id="${name}-problem"`);
    expect(html).to.include('does not run in a shell, so | has no effect').and.to.include('>Must be an absolute path');
    expect(html).to.include('a | b</textarea>').and.to.include('value="checks"');
    expect(await real.collections.tests.countDocuments({ projectId })).to.equal(0);
  });

  it('show a duplicate name at its field', async () => {
    await add({ name: FIELDS.name });
    const { status, html } = await send(`${list}/new`, FIELDS);
    expect(status).to.equal(409);
    expect(html).to.match(/id="name-problem">This project already has a test named/);
  });

  it('show a test, with the names of its variables only', async () => {
    const definition = aTestDefinition({ command: ['echo', '<script>x'], env: { KEY: 'canary-env' }, retries: 2 });
    const { _id } = await add({ name: 'T <script>t', definition });
    const { status, html } = await get(`/tests/${_id}`, viewer);
    expect(status).to.equal(200);
    expect(html).to.include('Up to 2 more attempts').and.to.include('KEY').and.to.include('No runs yet');
    expect(html).not.to.match(/<script>[tx]|canary-env|\/run"|\/edit"/);
    expect((await get(`/tests/${_id}`)).html).to.include(`href="/tests/${_id}/edit"`);
  });

  it('start a run as the web app, and redirect to its page', async () => {
    const { _id } = await add();
    const { status, location } = await send(`/tests/${_id}/run`);
    expect(status).to.equal(303);
    const run = await real.collections.runs.findOne({ _id: location!.replace('/runs/', '') });
    expect(run).to.deep.include({ targetId: _id, kind: 'test' });
    expect(run?.triggeredBy).to.include({ type: 'web', name: editor.email });
    expect((await get(`/tests/${_id}`)).html).to.include(location);
  });

  it('change a test, and keep untouched fields, including those that no form can edit', async () => {
    const definition = aTestDefinition({ command: ['a', 'x\r\ny'], env: { A: ' "q" ', B: '1\r\n2' } });
    const { _id } = await add({ definition });
    const { html } = await get(`/tests/${_id}/edit`);
    expect(html).to.include('name="revision" value="1"');
    const fields = {
      ...FIELDS,
      revision: '1',
      name: 'New name',
      command: `a 'x\r\ny'`,
      env: 'A=" \\"q\\" "\r\nB="1\\r\\n2"',
    };
    const { status, location } = await send(`/tests/${_id}/edit`, fields);
    expect([status, location]).to.eql([303, `/tests/${_id}`]);
    const test = await saved(_id);
    expect(test).to.include({ name: 'New name', revision: 2 });
    expect(test?.definition).to.deep.include({ command: definition.command, env: definition.env, timeoutMs: 90_000 });
  });

  it('show concurrent changes before they are replaced', async () => {
    const { _id } = await add({ name: 'Mine' });
    await send(`/tests/${_id}/edit`, { ...FIELDS, revision: '1', name: 'Theirs', cwd: '/theirs' });
    const mine = { ...FIELDS, revision: '1', name: 'Mine', cwd: '/mine' };
    const refused = await send(`/tests/${_id}/edit`, mine);
    expect(refused.status).to.equal(412);
    expect(refused.html).to.include('Someone else saved changes').and.to.include('name="revision" value="2"');
    expect(refused.html)
      .to.include('Current value: /theirs')
      .and.to.include('Current value: Theirs')
      .and.to.include('value="/mine"');
    expect(refused.html).not.to.include('id="pool-problem"');
    expect(await saved(_id)).to.include({ name: 'Theirs' });
    expect((await send(`/tests/${_id}/edit`, { ...mine, revision: '2' })).status).to.equal(303);
    expect(await saved(_id)).to.include({ name: 'Mine', revision: 3 });
  });

  it('create a test from a repository, with collapsed fields', async () => {
    const made = await send(`${list}/new`, {
      ...FIELDS,
      source: 'git',
      cwd: '/not/taken',
      'git.url': ' https://git.example.com/shop.git ',
      'git.path': 'e2e',
      'results.junit': 'out/*.xml',
      artifacts: 'report/**\r\n\r\n*.png',
      'setup.command': 'npm ci',
      'setup.key': 'package-lock.json',
      'setup.timeoutMs': '2m',
      'limits.memoryMiB': '512',
    });
    expect(made.status, made.html).to.equal(303);
    const { definition } = (await saved(made.location!.replace('/tests/', '')))!;
    expect(definition).to.eql({
      runner: 'command',
      command: ['npx', 'playwright', 'test', 'my shop.spec.ts'],
      git: { url: 'https://git.example.com/shop.git', path: 'e2e' },
      results: { junit: 'out/*.xml' },
      artifacts: ['report/**', '*.png'],
      setup: { command: ['npm', 'ci'], key: ['package-lock.json'], keep: [], timeoutMs: 120_000 },
      limits: { memoryMiB: 512 },
      env: { BASE: 'http://127.0.0.1', EMPTY: '' },
      timeoutMs: 90_000,
      retries: 2,
      pool: 'default',
    });
    expect(made.notice).to.include('“Checkout works”');
  });

  it('remove cleared fields, and show errors at their fields', async () => {
    const git = { url: 'https://git.example.com/shop.git' };
    const { cwd: _cwd, ...rest } = aTestDefinition();
    const setup = { command: ['npm', 'ci'], key: [], keep: [], timeoutMs: 60_000 };
    const { _id } = await add({ definition: { ...rest, git, setup, artifacts: ['a'], limits: { processes: 9 } } });
    const { html } = await get(`/tests/${_id}/edit`);
    expect(html)
      .to.include('value="https://git.example.com/shop.git"')
      .and.to.include('<details class="more-fields" open');
    const wrong = await send(`/tests/${_id}/edit`, {
      ...FIELDS,
      revision: '1',
      source: 'git',
      'setup.key': 'x',
      'limits.processes': '0',
    });
    expect(wrong.status).to.equal(400);
    for (const field of ['git.url', 'setup.command', 'limits.processes'])
      expect(wrong.html).to.include(`id="${field}-problem"`);
    const { status } = await send(`/tests/${_id}/edit`, { ...FIELDS, revision: '1', 'setup.timeoutMs': '1m' });
    expect(status).to.equal(303);
    expect(Object.keys((await saved(_id))!.definition)).to.have.members([
      'runner',
      'command',
      'cwd',
      'env',
      'timeoutMs',
      'retries',
      'pool',
    ]);
  });

  it('offer three runner types, each with an example that the API accepts', async () => {
    const { html } = await get(`${list}/new?runner=browser`);
    expect(html)
      .to.include('aria-current="page"')
      .and.to.include('href="' + list + '/new?runner=http"');
    const example = textOf(html, 'steps');
    const { location } = await send(`${list}/new`, {
      ...COMMON,
      runner: 'browser',
      steps: example,
      baseUrl: 'https://x.example',
    });
    const { definition } = (await saved(location!.replace('/tests/', '')))!;
    expect(definition).to.deep.include({ runner: 'browser', baseUrl: 'https://x.example' });
    const { error } = newTest.validate({ name: 'x', ...definition });
    expect(error).to.equal(undefined);
    expect((definition as BrowserTest).steps[0]).to.eql({ goto: '/sign-in' });
    expect((await get(`${list}/new?runner=nonsense`)).status).to.equal(400);
  });

  it('show errors in steps with their lines, and keep the text', async () => {
    const steps = '# pay\n- goto: /\n- click: { role: button, nme: Pay }\n- fill: { label: <script>x }\n';
    const { status, html } = await send(`${list}/new`, { ...COMMON, runner: 'browser', steps });
    expect(status).to.equal(400);
    const problem = /id="steps-problem">([^<]*)</.exec(html)![1]!;
    expect(problem).to.match(/^Line 3: nme is not a field of click;.*\nLine 4: value is required/);
    expect(textOf(html, 'steps')).to.equal(steps);
    expect(html).to.include('aria-current="page"').and.not.to.include('<script>x');
    const broken = await send(`${list}/new`, { ...COMMON, runner: 'browser', steps: '- goto: /\n- click: {' });
    expect(broken.html).to.match(/id="steps-problem">Line 2: not valid YAML/);
    const none = await send(`${list}/new`, { ...COMMON, runner: 'browser', steps: '' });
    expect(none.html).to.match(/id="steps-problem">Steps is required|id="steps-problem">/);
  });

  it('change a browser test without losing untouched fields', async () => {
    const definition = {
      runner: 'browser' as const,
      steps: [{ goto: '/' }, { fill: { label: 'Pin', value: '0042' } }, { expect: { text: 'a\r\nb' } }],
      groups: { 'sign in': [{ goto: '/in' }] },
      viewport: { width: 800, height: 600 },
      trace: 'always' as const,
      env: {},
      timeoutMs: 60_000,
      retries: 0,
      pool: 'default',
    };
    const { _id } = await add({ definition });
    const { html } = await get(`/tests/${_id}/edit`);
    const fields = {
      ...COMMON,
      revision: '1',
      steps: textOf(html, 'steps').replaceAll('\n', '\r\n'),
      groups: textOf(html, 'groups'),
      'viewport.width': '800',
      'viewport.height': '600',
      trace: 'always',
      timeoutMs: '1m',
    };
    expect((await send(`/tests/${_id}/edit`, fields)).status).to.equal(303);
    expect((await saved(_id))?.definition).to.eql(definition);
    const steps = textOf(html, 'steps').replace('Pin', 'PIN');
    expect((await send(`/tests/${_id}/edit`, { ...fields, revision: '2', steps, groups: '' })).status).to.equal(303);
    const changed = (await saved(_id))!.definition as BrowserTest;
    expect(changed.steps).to.eql([definition.steps[0], { fill: { label: 'PIN', value: '0042' } }, definition.steps[2]]);
    expect(changed).not.to.have.property('groups');
  });

  it('create an HTTP test; JSON keeps its types, and the form shows it', async () => {
    const requests = '- method: post\n  url: /orders\n  json: { n: 2, s: "2", on: true }\n  headers: { X-V: 1.10 }\n';
    const fields = {
      ...COMMON,
      runner: 'http',
      requests,
      headers: 'Accept: text/*',
      cookies: 'none',
      insecure: 'true',
    };
    const { location, html } = await send(`${list}/new`, fields);
    const id = location!.replace('/tests/', '');
    expect(html).to.equal('');
    const { definition } = (await saved(id))!;
    expect(definition).to.eql({
      runner: 'http',
      requests: [{ method: 'POST', url: '/orders', json: { n: 2, s: '2', on: true }, headers: { 'X-V': '1.10' } }],
      headers: { Accept: 'text/*' },
      cookies: 'none',
      insecure: true,
      env: {},
      timeoutMs: 90_000,
      retries: 0,
      pool: 'default',
    });
    const edit = (await get(`${location}/edit`)).html;
    const kept = { ...fields, revision: '1', requests: textOf(edit, 'requests'), headers: textOf(edit, 'headers') };
    await send(`${location}/edit`, kept);
    expect(await saved(id)).to.include({ revision: 1 });
    const page = (await get(location!)).html;
    expect(page).to.include('POST /orders').and.to.include('status below 400').and.not.to.include('text/*');
    const wrong = await send(`${list}/new`, { ...fields, name: 'x', requests: `${requests}- url: ftp://x\n` });
    expect(wrong.html).to.match(/id="requests-problem">Line 5: url must be an http:/);
  });

  it('show concurrent changes of steps', async () => {
    const made = await send(`${list}/new`, { ...COMMON, runner: 'browser', steps: '- goto: /a' });
    const edit = { ...COMMON, runner: 'browser', revision: '1', trace: 'always' };
    await send(`${made.location}/edit`, { ...edit, steps: '- goto: /theirs' });
    const { status, html } = await send(`${made.location}/edit`, { ...edit, steps: '- goto: /mine' });
    expect(status).to.equal(412);
    expect(html)
      .to.match(/id="steps-problem">Current value: - goto: \/theirs/)
      .and.not.to.include('id="trace-problem"');
    expect(textOf(html, 'steps')).to.equal('- goto: /mine');
  });

  it('offer no actions for an archived test', async () => {
    const { _id } = await add({ archivedAt: new Date() });
    const { html } = await get(`/tests/${_id}`);
    expect(html)
      .to.include('is archived')
      .and.not.to.match(/\/(run|edit)"/);
  });
});
