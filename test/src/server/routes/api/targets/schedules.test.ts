import { expect } from 'chai';
import type { Server, ServerInjectOptions } from '@hapi/hapi';
import type { Collections } from '#src/db/schema/collections.js';
import { randomId } from '#src/domain/ids.js';
import { apiServer, callApi } from '#test/support/servers/api-server.js';
import { cli } from '#test/support/cli/cli.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { withClockAhead } from '#test/support/with-clock-ahead.js';

interface Shown {
  id: string;
  name: string;
  revision: number;
  paused: boolean;
  archived: boolean;
  nextTimes: string[];
  code: string;
  message: string;
  fields: { field: string; message: string }[];
  changes: { kind: string; name: string; change: string; fields?: string[] }[];
  unchanged: number;
  count: number;
  results: { name: string }[];
  [field: string]: unknown;
}

const DAY_MS = 24 * 3_600_000;
const IF_ANY = { 'if-match': '*' };
const YAML = { 'content-type': 'application/yaml' };

describe('API: schedules', () => {
  let collections: Collections;
  let server: Server;
  let owner: TestPerson;
  let projectId: string;
  let testId: string;
  const call = (what: string, payload?: ServerInjectOptions['payload'], headers?: Record<string, string>) =>
    callApi<Shown>(server, owner.apiToken, what, payload, headers);

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const database = await testDatabase();
    collections = database.collections;
    server = await apiServer(collections, undefined, database.clock);
  });

  beforeEach(async () => {
    owner = await addPerson(collections);
    projectId = (await call('POST /projects/', { name: 'Shop' })).body.id;
    const aTest = { name: 'Checkout', command: ['true'], cwd: '/srv' };
    testId = (await call(`POST /projects/${projectId}/tests/`, aTest)).body.id;
  });

  async function make(more: object = {}) {
    const input = { name: 'Morning', testId, cron: '0 6 * * 1-5', timeZone: 'Europe/Stockholm', ...more };
    return call(`POST /projects/${projectId}/schedules/`, input);
  }

  it('suggests the canonical zone for an alias that Temporal rejects, also for a stored one', async () => {
    const { status, body } = await make({ timeZone: 'AET' });
    const refusal = 'timeZone must be an IANA time zone: Temporal does not support AET; did you mean Australia/Sydney?';
    expect([status, body.message]).to.deep.equal([400, refusal]);
    expect((await make({ timeZone: 'SystemV/PST8' })).body.message).to.match(/^timeZone must be [^;]*$/);

    const { id } = (await make()).body;
    await collections.schedules.updateOne({ _id: id }, { $set: { 'definition.timeZone': 'AET' } });
    const saved = await call(`PATCH /schedules/${id}/`, { cron: '0 7 * * *', timeZone: 'AET' }, IF_ANY);
    expect([saved.status, saved.body.message]).to.deep.equal([400, refusal]);
    // It can still be paused.
    expect((await call(`PATCH /schedules/${id}/`, { paused: true }, IF_ANY)).status).to.equal(200);
  });

  it('suggests every zone of an ambiguous abbreviation', async () => {
    const messageOf = async (timeZone: string) => (await make({ timeZone })).body.message;
    const start = 'timeZone must be an IANA time zone:';
    expect(await messageOf('CST')).to.equal(
      `${start} CST is ambiguous; use one such as America/Chicago, Asia/Shanghai or America/Havana`,
    );
    expect(await messageOf('ist')).to.equal(
      `${start} ist is ambiguous; use one such as Asia/Kolkata, Europe/Dublin or Asia/Jerusalem`,
    );
    expect(await messageOf('BST')).to.equal(`${start} BST is ambiguous; use one such as Europe/London or Asia/Dhaka`);
    for (const zone of ['ACT', 'ART', 'AST', 'ECT', 'MIT', 'NST', 'PST', 'SST'])
      expect(await messageOf(zone), zone)
        .to.match(/is ambiguous/)
        .and.not.match(/did you mean/);
  });

  it('returns the next times by the clock of the database, not of the server', async () => {
    const { id, nextTimes } = (await make()).body;
    const whileAhead = await withClockAhead(30 * DAY_MS, () => call(`GET /schedules/${id}/`));
    expect(whileAhead.body.nextTimes).to.deep.equal(nextTimes);
  });

  it('creates one with defaults, and returns its next five times', async () => {
    const { status, body, text } = await make();
    expect(status, text).to.equal(201);
    expect(body).to.deep.include({
      projectId,
      testId,
      suiteId: null,
      runProfileId: null,
      paused: false,
      catchUpMs: 3_600_000,
      lastFired: null,
      revision: 1,
    });
    expect(body.nextTimes).to.have.length(5);
    for (const time of body.nextTimes) expect(time).to.match(/T0[45]:00:00\.000Z$/);
    expect((await call(`GET /schedules/${body.id}/`)).body).to.deep.equal(body);
    expect((await call(`GET /projects/${projectId}/schedules/`)).body.results).to.deep.equal([body]);
  });

  it('creates one per Idempotency-Key', async () => {
    const input = { name: 'Once', testId, cron: '@daily' };
    const key = { 'idempotency-key': randomId() };
    const first = await call(`POST /projects/${projectId}/schedules/`, input, key);
    const again = await call(`POST /projects/${projectId}/schedules/`, input, key);
    expect([first.status, again.status]).to.deep.equal([201, 200]);
    expect(again.body).to.deep.equal(first.body);
  });

  const WRONG: [what: string, fields: object, message: RegExp][] = [
    ['four fields', { cron: '0 6 * *' }, /cron must be a cron expression with five fields/],
    ['an hour that is none', { cron: '0 25 * * *' }, /cron must be/],
    ['a day that never comes', { cron: '0 0 30 2 *' }, /cron must be/],
    ['what only other crons have', { cron: '0 0 L * *' }, /cron must be/],
    ['seconds', { cron: '0 0 6 * * *' }, /cron must be/],
    ['a zone that is none', { timeZone: 'Europe/Stokholm' }, /timeZone must be/],
    ['an offset for a zone', { timeZone: '+02:00' }, /timeZone must be/],
    ['a window of nothing', { catchUpMs: 0 }, /catchUpMs must be/],
    ['nothing to start', { testId: undefined }, /testId or suiteId/],
    ['two things to start', { suiteId: randomId() }, /not both/],
    ['a missing test', { testId: randomId() }, /this project has no test/],
    ['a missing variable set', { runProfileId: randomId() }, /runProfileId must be the ID of a variable set/],
  ];
  for (const [what, fields, message] of WRONG)
    it(`rejects ${what}`, async () => {
      const { status, body } = await make(fields);
      expect(status).to.equal(400);
      expect(body.fields.map((field) => field.message).join()).to.match(message);
    });

  it('pauses, resumes, changes with If-Match, and deletes one', async () => {
    const { id } = (await make()).body;
    const paused = await call(`PATCH /schedules/${id}/`, { paused: true }, { 'if-match': '"1"' });
    expect(paused.body).to.deep.include({ paused: true, nextTimes: [], revision: 2 });
    expect((await call(`PATCH /schedules/${id}/`, { paused: false }, { 'if-match': '"1"' })).status).to.equal(412);
    const resumed = await call(`PATCH /schedules/${id}/`, { paused: false }, { 'if-match': '"2"' });
    expect(resumed.body.nextTimes).to.have.length(5);
    expect((await make()).body.code).to.equal('name_taken');
    expect((await call(`DELETE /schedules/${id}/`, undefined, IF_ANY)).status).to.equal(204);
    expect((await call(`GET /schedules/${id}/`)).body).to.deep.include({ archived: true, nextTimes: [] });
    expect((await make()).status).to.equal(201);
    const actions = await collections.audit
      .find({ projectId, action: /^schedule/ })
      .sort({ at: 1 })
      .toArray();
    expect(actions.map(({ action }) => action)).to.deep.equal([
      'schedule.create',
      'schedule.edit',
      'schedule.edit',
      'schedule.archive',
      'schedule.create',
    ]);
  });

  it('changes the target when both fields are sent', async () => {
    const { id } = (await make()).body;
    const suite = (await call(`POST /projects/${projectId}/suites/`, { name: 'Smoke', tests: [testId] })).body;
    const change = (fields: object) => call(`PATCH /schedules/${id}/`, fields, IF_ANY);
    expect((await change({ suiteId: suite.id })).status).to.equal(400);
    const changed = await change({ suiteId: suite.id, testId: null });
    expect(changed.body).to.deep.include({ suiteId: suite.id, testId: null });
  });

  it('are archived with their test, and with their project', async () => {
    const { id } = (await make()).body;
    await call(`DELETE /tests/${testId}/`, undefined, IF_ANY);
    expect((await call(`GET /schedules/${id}/`)).body.archived).to.equal(true);
    testId = (await call(`POST /projects/${projectId}/tests/`, { name: 'B', command: ['b'], cwd: '/srv' })).body.id;
    const other = (await make()).body.id;
    await call(`DELETE /projects/${projectId}/`, undefined, IF_ANY);
    expect((await collections.schedules.findOne({ _id: other }))?.archivedAt).to.be.instanceOf(Date);
  });

  describe('in project files', () => {
    let project: string;
    beforeEach(() => (project = `Shop ${randomId()}`));
    const file = (schedules: string) => `project: ${project}
tests:
  - { name: A, command: [a], cwd: /srv }
suites:
  - { name: Both, tests: [A] }
${schedules}`;
    const TWO = `schedules:
  - { name: Morning, test: A, cron: "0 6 * * 1-5", timeZone: Europe/Stockholm, catchUp: 2h }
  - { name: Often, suite: Both, cron: "*/5 * * * *", paused: true }
`;
    const send = (schedules: string, query = '') => call(`POST /import/${query}`, file(schedules), YAML);
    const inWords = ({ body }: { body: Shown }) =>
      body.changes
        .filter(({ kind }) => kind === 'schedule')
        .map(({ change, name, fields = [] }) => [change, name, ...fields].join(' '));
    const liveOf = async (id: unknown) =>
      (await call(`GET /projects/${id as string}/schedules/`)).body.results.map(({ name }) => name);

    it('are created, changed, archived and restored; a dry run only reports the changes', async () => {
      const dry = await send(TWO, '?dryRun=true');
      expect(inWords(dry)).to.deep.equal(['create Morning', 'create Often']);
      const made = await send(TWO);
      const id = made.body.projectId;
      expect(await liveOf(id)).to.deep.equal(['Morning', 'Often']);
      const again = await send(TWO);
      expect(again.body.changes).to.deep.equal([]);
      expect(again.body.unchanged).to.equal(4);
      const changed = await send(TWO.replace('0 6', '0 7').replace(/ {2}- .*Often.*\n/, ''));
      expect(inWords(changed)).to.deep.equal(['update Morning cron', 'archive Often']);
      expect(await liveOf(id)).to.deep.equal(['Morning']);
      expect(inWords(await send(TWO))).to.deep.equal(['update Morning cron', 'restore Often']);
      expect(inWords(await send('schedules: []'))).to.deep.equal(['archive Morning', 'archive Often']);
    });

    it('are kept if the file has no schedules, as long as their targets exist', async () => {
      const id = (await send(TWO)).body.projectId;
      expect((await send('')).body.changes).to.deep.equal([]);
      expect(await liveOf(id)).to.deep.equal(['Morning', 'Often']);
      const without = file('').replace(/suites:\n.*\n/, '');
      const gone = await call('POST /import/', without, YAML);
      expect(inWords(gone)).to.deep.equal(['archive Often']);
      expect(await liveOf(id)).to.deep.equal(['Morning']);
    });

    it('are exported as they were imported', async () => {
      const id = (await send(TWO)).body.projectId as string;
      const { text } = await call(`GET /projects/${id}/export/`);
      expect(text).to.include('catchUp: 2h').and.not.include('catchUp: 1h');
      const { body } = await call('POST /import/', text, YAML);
      expect(body.changes, text).to.deep.equal([]);
    });

    it('report errors with their lines', async () => {
      const { body } = await send(`schedules:
  - { name: One, test: a, cron: "0 6 * * *" }
  - name: Two
    suite: Both
    cron: every day
    timeZone: Mars
    catchUp: 1s
  - { name: Two, cron: "@daily" }
`);
      expect(body.fields.map(({ field, message }) => `${field}: ${message}`)).to.satisfy((problems: string[]) => {
        const all = problems.join('\n');
        for (const part of [
          /line 7: no test in this file is named "a"; did you mean "A"\?/,
          /line 10: schedules\[1\]\.cron must be a cron expression with five fields/,
          /line 11: .*timeZone must be/,
          /line 12: .*catchUp must be a duration from 1m to 168h/,
          /line 13: .*must have test or suite/,
          /line 13: the schedule on line 8 has the same name "Two"/,
        ])
          expect(all).to.match(part);
        return true;
      });
    });
  });

  describe('with the CLI', () => {
    let url: string;
    before(async () => {
      await server.start();
      url = server.info.uri;
    });
    after(() => server.stop({ timeout: 100 }));
    const run = (...args: string[]) =>
      cli(['schedule', ...args, '--project', projectId], {
        env: { RUNHOOK_URL: url, RUNHOOK_API_TOKEN: owner.apiToken },
      });

    it('are created, listed, shown, paused, resumed and deleted', async () => {
      const made = await run('create', 'Morning', '--test', 'Checkout', '--cron', '0 6 * * *');
      expect(made.code, made.err).to.equal(0);
      expect(made.err).to.match(/First run: \S+ 06:00:00Z/);
      const id = made.out.trim();
      expect((await run('list')).out).to.match(/Morning +\d{4}-\d\d-\d\d 06:00:00Z +0 6 \* \* \* +UTC +test Checkout/);
      expect((await run('pause', 'Morning')).out).to.equal('Schedule "Morning" paused.\n');
      expect((await run('list')).out).to.match(/Morning +paused/);
      expect((await run('resume', 'Morning')).code).to.equal(0);
      const shown = (await run('show', id)).out;
      expect(shown)
        .to.match(/runs the test Checkout/)
        .and.match(/Last: {2}none yet/);
      expect(shown.match(/06:00:00Z/g)).to.have.length(5);
      expect((await run('remove', 'Morning')).code).to.equal(0);
      expect((await run('list')).err).to.match(/has no schedules/);
    });

    it('report errors', async () => {
      expect((await run('create', 'X', '--cron', '0 6 * * *')).err).to.match(/--test or --suite/);
      const bad = await run('create', 'X', '--test', 'Checkout', '--cron', 'daily');
      expect(bad.code).to.equal(2);
      expect(bad.err).to.match(/cron must be/);
      await make();
      expect((await run('show', 'Mornin')).err).to.match(/Did you mean "Morning"\?/);
    });
  });
});
