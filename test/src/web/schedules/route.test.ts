import { expect } from 'chai';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { randomId } from '#src/domain/ids.js';
import type { LastFired } from '#src/domain/schedules/schedule.js';
import { startScheduleSync } from '#src/services/schedules/schedule-sync.js';
import { isUpToDate, isRefusal } from '#src/temporal/target-schedules.js';
import type { Lease } from '#src/db/schema/documents.js';
import { aTest } from '#test/builders/test.js';
import { aTestRun } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { getPage, sendForm } from '#test/support/servers/page-client.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';

const FIELDS = {
  name: 'Morning',
  kind: 'test',
  target: 'Check <out>',
  cron: '0 6 * * 1-5',
  timeZone: 'Europe/Stockholm',
  catchUpMs: '2h',
};

/** One pass of the real schedule sync, with an empty Temporal that does not know PLT. */
async function passOf(schedules: ReturnType<typeof createScheduleStore>): Promise<void> {
  const keeper = startScheduleSync({
    schedules,
    engine: {
      shown: async () => new Map(),
      isUpToDate,
      async put({ definition: { timeZone } }) {
        // Like INVALID_ARGUMENT of the client.
        if (timeZone === 'PLT') throw new TypeError(`3 INVALID_ARGUMENT: unknown time zone ${timeZone}`);
      },
      remove: async () => {},
      removeLegacy: async () => 0,
      isRefusal,
    },
    lease: { acquire: async () => ({}) as Lease, advance: async () => true, release: async () => {} },
    log: { info: () => {}, warn: () => {}, debug: () => {} },
  });
  await keeper.stop();
}

describe('schedule pages', () => {
  let real: RealServer;
  let editor: TestPerson;
  let viewer: TestPerson;
  const projectId = randomId();
  const list = `/projects/${projectId}/schedules`;
  const test = aTest({ projectId, name: 'Check <out>' });

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
    await collections.tests.insertOne(test);
    await eventually(async () => (await get(list)).status === 200 || undefined);
  });
  after(() => real.close());
  beforeEach(async () => void (await real.collections.schedules.deleteMany({ projectId })));

  const get = (url: string, who = editor) => getPage(real.server, who, url);
  const send = (url: string, fields: Record<string, string> = {}) => sendForm(real.server, editor, url, fields);

  async function make(fields: Record<string, string> = {}): Promise<string> {
    const { status, location, html } = await send(`${list}/new`, { ...FIELDS, ...fields });
    expect(status, html).to.equal(303);
    return location!.replace('/schedules/', '');
  }

  it('explain schedules when there are none', async () => {
    expect((await get(list)).html)
      .to.match(/No schedules yet/)
      .and.match(/Create a schedule/);
    expect((await get(list, viewer)).html)
      .to.match(/An editor of this project/)
      .and.not.match(/New schedule/);
  });

  it('create one, and show it in the list, on its page and on that of its test', async () => {
    const id = await make();
    const stored = await real.collections.schedules.findOne({ _id: id });
    expect(stored?.definition).to.deep.equal({
      testId: test._id,
      cron: '0 6 * * 1-5',
      timeZone: 'Europe/Stockholm',
      paused: false,
      catchUpMs: 7_200_000,
    });
    for (const url of [list, `/schedules/${id}`, `/tests/${test._id}`]) {
      const { html } = await get(url);
      expect(html, url)
        .to.match(/Monday to Friday at 06:00/)
        .and.match(/Europe\/Stockholm/)
        .and.match(/none yet/);
      expect(html).not.to.include('<out>');
    }
    expect((await get(`/schedules/${id}`)).html.match(/\d{4}-\d\d-\d\d 06:00</g)).to.have.length(5);
  });

  it('show the result of the last time', async () => {
    const id = await make();
    const run = aTestRun({ projectId, targetId: test._id, status: 'failed' });
    await real.collections.runs.insertOne(run);
    const at = new Date('2026-03-02T05:00:00.000Z');
    const noted = (lastFired: LastFired) => real.collections.schedules.updateOne({ _id: id }, { $set: { lastFired } });
    await noted({ at, runId: run._id });
    expect((await get(list)).html)
      .to.include(`href="/runs/${run._id}"`)
      .and.match(/class="status failed"/);
    await noted({ at, refusedBecause: 'The project has reached its limit of 2 open runs.' });
    expect((await get(list)).html).to.match(/not started\. The project has reached its limit/);
  });

  it('show that Temporal rejects one, on its page, in the list and in the metrics, until it is accepted', async () => {
    const id = await make();
    const store = createScheduleStore(real.collections);
    const before = await store.countRefused();
    await store.noteAcceptance({ _id: id, revision: 1 }, 'unknown time zone <Mars>');
    expect((await get(list)).html).to.match(/rejected by Temporal/);
    const { html } = await get(`/schedules/${id}`);
    expect(html)
      .to.include('unknown time zone &lt;Mars>')
      .and.not.to.match(/class="next-times"/);
    expect(await store.countRefused()).to.equal(before + 1);
    await store.noteAcceptance({ _id: id, revision: 1 });
    for (const url of [list, `/schedules/${id}`]) expect((await get(url)).html).not.to.match(/rejected/);
    expect(await store.countRefused()).to.equal(before);
  });

  it('reject a time zone that only Node knows', async () => {
    const { status, html } = await send(`${list}/new`, { ...FIELDS, timeZone: 'AET' });
    expect([status, /id="timeZone-problem"/.test(html)]).to.deep.equal([400, true]);
  });

  it('pause one in a time zone that an earlier version accepted', async () => {
    const id = await make();
    await real.collections.schedules.updateOne({ _id: id }, { $set: { 'definition.timeZone': 'AET' } });
    expect((await send(`/schedules/${id}/pause`)).notice).to.match(/is paused/);
    expect((await get(`/schedules/${id}`)).status).to.equal(200);
  });

  it('show that one from an earlier version is rejected after one pass, and report its zone when another field is edited', async () => {
    const id = await make();
    await real.collections.schedules.updateOne({ _id: id }, { $set: { 'definition.timeZone': 'PLT' } });
    const refused = async () => Number(/^runhook_schedules_refused (\d+)$/m.exec(await real.scrape())?.[1]);
    const before = await refused();

    await passOf(createScheduleStore(real.collections));

    expect((await get(list)).html).to.match(/rejected by Temporal/);
    expect((await get(`/schedules/${id}`)).html)
      .to.match(/rejected by Temporal/)
      .and.include('unknown time zone PLT');
    expect(await refused()).to.equal(before + 1);

    const url = `/schedules/${id}/edit`;
    expect((await get(url)).html).to.include('value="PLT"');
    const edited = await send(url, { ...FIELDS, timeZone: 'PLT', cron: '0 7 * * *', revision: '1' });
    expect(edited.status).to.equal(400);
    expect(edited.html)
      .to.match(/id="timeZone-problem"[^<]*>[^<]*Temporal does not support PLT; did you mean Asia\/Karachi\?/)
      .and.include('value="0 7 * * *"');
  });

  it('show errors at their fields, keep the input, and show the times', async () => {
    const { status, html } = await send(`${list}/new`, {
      ...FIELDS,
      target: 'Check <ou>',
      cron: '0 26 * * *',
      catchUpMs: '1s',
    });
    expect(status).to.equal(400);
    for (const field of ['target', 'cron', 'catchUpMs']) expect(html).to.match(new RegExp(`id="${field}-problem"`));
    expect(html).to.include('Did you mean “Check &lt;out>”?').and.include('value="0 26 * * *"');
    const taken = await make();
    expect(taken).to.be.a('string');
    expect((await send(`${list}/new`, FIELDS)).html)
      .to.match(/id="name-problem"/)
      .and.match(/<table class="next-times"/);
  });

  it('preview the next times, with and without scripts', async () => {
    const { status, html } = await send(`${list}/new`, { ...FIELDS, name: '', step: 'preview' });
    expect(status).to.equal(200);
    expect(html.match(/\d{4}-\d\d-\d\d 06:00</g)).to.have.length(5);
    const part = await get(`${list}/preview?cron=30+4+*+*+*&timeZone=asia/tokyo`);
    expect(part.html).not.to.include('<html');
    expect(part.html).to.include('In Asia/Tokyo');
    expect(part.html.match(/\d{4}-\d\d-\d\d 04:30</g)).to.have.length(5);
    expect((await get(`${list}/preview?cron=30+4&timeZone=`)).html).to.match(/Enter a cron expression and a time zone/);
    expect(await real.collections.schedules.countDocuments({ projectId })).to.equal(0);
  });

  it('preselect the given test', async () => {
    const { html } = await get(`${list}/new?test=${test._id}`);
    expect(html)
      .to.match(/<option[^>]* selected[^>]*value="test"|value="test" selected/)
      .and.include('value="Check &lt;out>"');
  });

  it('change one, and do not overwrite concurrent changes', async () => {
    const id = await make();
    expect((await get(`/schedules/${id}/edit`)).html).to.include('value="2h"');
    const changed = await send(`/schedules/${id}/edit`, { ...FIELDS, cron: '@daily', revision: '1' });
    expect(changed.status, changed.html).to.equal(303);
    expect((await real.collections.schedules.findOne({ _id: id }))?.definition.cron).to.equal('@daily');
    expect((await send(`/schedules/${id}/edit`, { ...FIELDS, revision: '1' })).status).to.equal(412);
  });

  it('keep the revision of the opened form after any other error: the next save is rejected too', async () => {
    const id = await make();
    const url = `/schedules/${id}/edit`;
    await send(url, { ...FIELDS, cron: '@daily', revision: '1' });
    const wrong = await send(url, { ...FIELDS, cron: 'never', revision: '1' });
    expect(wrong.status).to.equal(400);
    const preview = await send(url, { ...FIELDS, revision: '1', step: 'preview' });
    for (const { html } of [wrong, preview]) expect(html).to.include('name="revision" value="1"');
    const late = await send(url, { ...FIELDS, revision: '1' });
    expect(late.status).to.equal(412);
    expect(late.html).to.include('name="revision" value="2"').and.include('@daily');
    expect((await real.collections.schedules.findOne({ _id: id }))?.definition.cron).to.equal('@daily');
    expect((await send(url, { ...FIELDS, revision: '2' })).status).to.equal(303);
  });

  it('reject a form without a revision, also in a preview', async () => {
    const id = await make();
    for (const step of ['', 'preview'])
      for (const revision of ['', 'NaN'])
        expect((await send(`/schedules/${id}/edit`, { ...FIELDS, revision, step })).status).to.equal(400);
  });

  it('pause, resume and delete one', async () => {
    const id = await make();
    const paused = async () => (await real.collections.schedules.findOne({ _id: id }))?.definition.paused;
    expect((await send(`/schedules/${id}/pause`)).notice).to.match(/is paused/);
    expect(await paused()).to.equal(true);
    expect((await get(`/schedules/${id}`)).html)
      .to.match(/>paused</)
      .and.match(/Resume/);
    await send(`/schedules/${id}/resume`);
    expect(await paused()).to.equal(false);
    expect((await get(`/schedules/${id}/remove`)).html).to.match(/Remove the schedule “Morning”\?/);
    expect((await send(`/schedules/${id}/remove`)).location).to.equal(list);
    expect((await get(list)).html).to.match(/No schedules yet/);
    expect((await get(`/schedules/${id}`)).html).to.match(/This schedule was removed/);
  });
});
