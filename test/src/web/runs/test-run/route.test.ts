import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import { ObjectId, Binary } from 'mongodb';
import type { Collections } from '#src/db/schema/collections.js';
import { insertRunSteps } from '#src/db/runs/run-steps.js';
import { insertLogLines } from '#src/db/runs/run-logs.js';
import type { Role } from '#src/domain/people/rights.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { createRunReader } from '#src/services/runs/run-reader.js';
import { createRunServices } from '#src/services/runs/run-services.js';
import { aTestRun } from '#test/builders/run.js';
import { logLine } from '#test/builders/sample-runs.js';
import { apiServer } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson } from '#test/support/people.js';

describe('page of a test run', () => {
  let server: Server;
  let collections: Collections;
  let run: TestRun;
  let cancelled: string[];
  let started: { rerun?: object }[];

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    server = await apiServer(collections, (services) => ({
      reader: createRunReader(collections),
      temporalUi: { url: 'http://ui.test', namespace: 'team a' },
      runs: createRunServices({
        ...services,
        trigger: {
          byApi: async (request) => {
            started.push(request);
            return { run: { _id: 'the-new-run', targetName: 'Checkout works' }, isNew: true } as never;
          },
        },
        cancel: async (id) => cancelled.push(id) > 0,
        isDraining: () => false,
      }),
    }));
  });

  beforeEach(() => {
    cancelled = [];
    started = [];
  });

  async function open(some: Partial<TestRun> = {}, role: Role = 'editor') {
    run = aTestRun({ status: 'running', startedAt: new Date(), ...some });
    const project = { _id: run.projectId, name: 'Demo shop', slug: run.projectId, revision: 1, createdAt: new Date() };
    await collections.projects.insertOne(project);
    await collections.runs.insertOne(run);
    const { sessionHeaders } = await addPerson(collections, { roles: { [run.projectId]: role } });
    const headers = { ...sessionHeaders, accept: 'text/html' };
    return {
      get: (path = '') => server.inject({ url: `/runs/${run._id}${path}`, headers }),
      post: (path: string) =>
        server.inject({
          method: 'POST',
          url: `/runs/${run._id}${path}`,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          payload: '',
        }),
    };
  }
  const write = (...lines: ReturnType<typeof logLine>[]) =>
    insertLogLines(
      collections.runLogs,
      lines.map((line, index) => ({ ...line, _id: `${run._id}:${index}`, runId: run._id })),
    );

  it('shows the run, listens to it, and links to the Temporal UI', async () => {
    const { get } = await open({ targetName: '<script>name</script>' });
    const { statusCode, payload } = await get();
    expect(statusCode).to.equal(200);
    expect(payload).to.include(`hx-sse:connect="/runs/${run._id}/events"`);
    expect(payload).to.include(`href="http://ui.test/namespaces/team%20a/workflows/${run._id}"`);
    expect(payload).to.include('&lt;script>name').and.not.to.include('<script>name');
    expect(payload).not.to.match(/ style="| on\w+="/);
  });

  it('stops listening when the run has ended, and shows the error', async () => {
    const { get } = await open({ status: 'error', endedAt: new Date(), errorCode: 'KILLED', errorMessage: 'SIGKILL' });
    const { payload } = await get();
    expect(payload).not.to.include('hx-sse:connect');
    expect(payload).to.include('terminated by a signal').and.to.include('SIGKILL');
    expect(payload).not.to.include('/stop"');
  });

  it('shows output as text with colors, with links to lines', async () => {
    const { get } = await open();
    await write(logLine('\x1b[31mred\x1b[0m <script>alert(1)</script>\x1b[2J', { seq: 7 }));
    const { payload } = await get();
    expect(payload).to.include('<li id="L7" class="stdout" data-place="1.1.7">').and.to.include('href="#L7"');
    expect(payload).to.include('<span class="ansi-red">red</span> &lt;script>alert(1)&lt;/script></span>');
  });

  it('shows the end of a long log, and earlier parts on demand', async () => {
    const { get } = await open();
    await write(...Array.from({ length: 2500 }, (_, index) => logLine(`line ${index + 1}`, { seq: index + 1 })));
    const { payload } = await get();
    expect(payload).to.include('id="L2500"').and.to.include('id="L1501"').and.not.to.include('id="L1500"');
    expect(payload).to.include(`/runs/${run._id}?before=1.1.1501#log`);
    const before = await get('?before=1.1.1501');
    expect(before.payload).to.include('id="L1500"').and.to.include('id="L501"').and.not.to.include('id="L1501"');
    const around = await get('?line=1.1.50');
    expect(around.payload).to.include('id="L1"').and.to.include('id="L949"').and.not.to.include('id="L950"');
    const part = await get('/log/lines?before=1.1.501');
    expect(part.payload).to.match(
      /^<!doctype html><ol data-has-earlier="false" data-has-later="true"><li class="part"/,
    );
    const after = await get('/log/lines?after=1.1.2498');
    expect(after.payload).to.include('id="L2499"').and.not.to.include('class="part"');
    expect((await get('?before=nonsense')).statusCode).to.equal(400);
  });

  it('downloads the log as a file', async () => {
    const { get } = await open();
    await write(logLine('one', { seq: 1 }), logLine('\x1b[1mtwo\x1b[0m\n', { seq: 2, stream: 'stderr' }));
    const { payload, headers } = await get('/log');
    expect(payload).to.equal('2026-08-02T12:00:02.000Z stdout one\n2026-08-02T12:00:02.000Z stderr two\n');
    expect(headers['content-disposition']).to.equal(`attachment; filename*=UTF-8''${run._id}.log`);
  });

  it('shows pictures, and downloads other files', async () => {
    const { get } = await open();
    const files = [
      ['shot.png', 'image/png'],
      ['report "1".html', 'text/html'],
    ].map(([filename, contentType]) => ({
      _id: new ObjectId(),
      filename: filename!,
      length: 4,
      chunkSize: 261_120,
      uploadDate: new Date(),
      metadata: { runId: run._id, contentType: contentType! },
    }));
    await collections.artifactFiles.insertMany(files);
    await collections.artifactChunks.insertMany(
      files.map(({ _id }) => ({ _id: new ObjectId(), files_id: _id, n: 0, data: new Binary(Buffer.from('abcd')) })),
    );
    const [picture, page] = files.map(({ _id }) => `/artifacts/${_id.toString()}`);
    expect((await get()).payload).to.include(`<img src="/runs/${run._id}${picture}" alt="shot.png"`);
    const shown = await get(picture!);
    expect(shown.headers['content-type']).to.equal('image/png');
    expect(shown.payload).to.equal('abcd');
    const saved = await get(page!);
    expect(saved.headers['content-type']).to.match(/^application\/octet-stream/);
    expect(saved.headers['content-disposition']).to.equal("attachment; filename*=UTF-8''report%20%221%22.html");
    expect(saved.headers['content-security-policy']).to.include('sandbox');
    expect((await get('/artifacts/nothing')).statusCode).to.equal(404);
    const other = await open();
    expect((await other.get(picture!)).statusCode).to.equal(404);
  });

  it('shows the steps of the last delivery, and those of an earlier attempt on demand', async () => {
    const definition = { runner: 'http' as const, requests: [], env: {}, timeoutMs: 1, retries: 1, pool: 'default' };
    const attempts = [
      { number: 1, delivery: 2, worker: 'w', startedAt: new Date() },
      { number: 2, delivery: 1, worker: 'w', startedAt: new Date() },
    ];
    const { get } = await open({ definition, attempts });
    const steps = [
      [1, 1],
      [1, 2],
      [2, 1],
    ].map(([attempt, delivery]) => ({
      _id: `${run._id}:${attempt}:${delivery}:1`,
      runId: run._id,
      attempt: attempt!,
      delivery: delivery!,
      number: 1,
      depth: 0,
      title: `GET <script>/of/${attempt}/${delivery}`,
      status: 'passed' as const,
      startedAt: new Date(),
      durationMs: 3,
    }));
    await insertRunSteps(collections, steps);
    expect((await get()).payload)
      .to.include('&lt;script>/of/2/1')
      .and.not.to.include('/of/1/');
    expect((await get('?attempt=1')).payload)
      .to.include('/of/1/2')
      .and.not.to.match(/\/of\/1\/1|\/of\/2/);
    expect((await get('?attempt=x')).statusCode).to.equal(400);
  });

  it('stops and reruns for an editor', async () => {
    const { get, post } = await open();
    expect((await get()).payload).to.include(`href="/runs/${run._id}/stop" data-dialog`);
    expect((await get('/stop')).payload).to.include('Stop this run of “Checkout works”?');
    const stopped = await post('/stop');
    expect([stopped.statusCode, stopped.headers.location]).to.deep.equal([303, `/runs/${run._id}`]);
    expect(cancelled).to.deep.equal([run._id]);
    const again = await post('/rerun');
    expect([again.statusCode, again.headers.location]).to.deep.equal([303, '/runs/the-new-run']);
    expect(started.map(({ rerun }) => rerun)).to.deep.equal([{ of: run._id }]);
  });

  it('offers no actions to a viewer, and rejects them', async () => {
    const { get, post } = await open({}, 'viewer');
    expect((await get()).payload).not.to.match(/\/(stop|rerun)"/);
    expect((await post('/stop')).statusCode).to.equal(403);
    expect((await post('/rerun')).statusCode).to.equal(403);
  });
});
