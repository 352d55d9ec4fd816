import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import type { Collections } from '#src/db/schema/collections.js';
import { insertRunCases } from '#src/db/runs/run-cases.js';
import type { AttemptRecord, TestRun } from '#src/domain/runs/run.js';
import { createRunReader } from '#src/services/runs/run-reader.js';
import { createRunServices } from '#src/services/runs/run-services.js';
import { aCase } from '#test/builders/case.js';
import { aSuiteRun, aTestRun } from '#test/builders/run.js';
import { apiServer } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { addPerson } from '#test/support/people.js';

const HOSTILE = '<script>alert(1)</script>';

describe('case pages', () => {
  let server: Server;
  let collections: Collections;
  let run: TestRun;
  let headers: Record<string, string>;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    ({ collections } = await testDatabase());
    server = await apiServer(collections, (services) => ({
      reader: createRunReader(collections),
      runs: createRunServices({
        ...services,
        trigger: {
          byApi: async () => {
            throw new Error('Nothing is started here.');
          },
        },
        cancel: async () => true,
        isDraining: () => false,
      }),
    }));
  });

  /** A run of two attempts: one case in the first; 130 passed cases and a failed one in the second. */
  beforeEach(async () => {
    const attempt = (number: number, passed: number): AttemptRecord => ({
      number,
      delivery: 1,
      worker: 'w',
      startedAt: new Date(),
      endedAt: new Date(),
      verdict: { status: 'failed', exitCode: 1, cases: { passed, failed: 1, error: 0, skipped: 0 } },
    });
    run = aTestRun({ status: 'failed', attempt: 2, attempts: [attempt(1, 0), attempt(2, 130)] });
    const project = { _id: run.projectId, name: 'Demo shop', slug: run.projectId, revision: 1, createdAt: new Date() };
    await collections.projects.insertOne(project);
    await collections.runs.insertOne(run);
    await insertRunCases(collections, [
      aCase(run._id, 1, { status: 'failed', name: 'of the first attempt' }),
      ...Array.from({ length: 130 }, (_, index) => aCase(run._id, index + 1, { attempt: 2 })),
      aCase(run._id, 131, {
        attempt: 2,
        status: 'failed',
        name: HOSTILE,
        group: HOSTILE,
        message: HOSTILE,
        details: `\x1b[31mred\x1b[0m\n  ${HOSTILE}`,
        output: HOSTILE,
      }),
    ]);
    headers = {
      ...(await addPerson(collections, { roles: { [run.projectId]: 'viewer' } })).sessionHeaders,
      accept: 'text/html',
    };
  });

  const get = async (path: string) => {
    const { statusCode, payload } = await server.inject({ url: `/runs/${path}`, headers });
    return { status: statusCode, html: payload, rows: payload.match(/<tr><th scope="row">/g)?.length ?? 0 };
  };

  it('shows the first cases on the page of the run, failed ones first', async () => {
    const { html, rows } = await get(run._id);
    expect(rows).to.equal(50);
    expect(html.indexOf('&lt;script>')).to.be.greaterThan(0).and.to.be.below(html.indexOf('>case 1<'));
    expect(html).to.contain('All 131 cases</a>').and.not.to.contain('of the first attempt');
  });

  it('escapes texts', async () => {
    const { html } = await get(`${run._id}/cases`);
    expect(html).to.contain('<span class="ansi-red">red</span>\n  &lt;script>');
    expect(html).not.to.contain('<script>alert');
    expect(html).not.to.match(/ style="| on\w+="/);
  });

  it('lists all in pages, by status and by attempt', async () => {
    const first = await get(`${run._id}/cases`);
    expect(first.rows).to.equal(100);
    const next = /href="\/runs\/([^"]*cursor=[^"]*)" rel="next"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    expect((await get(next)).rows).to.equal(31);
    const failed = await get(`${run._id}/cases?status=failed`);
    expect(failed.rows).to.equal(1);
    expect(failed.html).to.match(/status=failed" aria-current="page"/);
    expect((await get(`${run._id}/cases?attempt=1`)).html).to.contain('of the first attempt');
  });

  it('reports that there are none, and returns 404 for suite runs and strangers', async () => {
    expect((await get(`${run._id}/cases?attempt=7`)).html).to.contain('No cases');
    const { projectId } = run;
    const suite = aSuiteRun({ projectId });
    await collections.runs.insertOne(suite);
    expect((await get(`${suite._id}/cases`)).status).to.equal(404);
    headers = { ...(await addPerson(collections)).sessionHeaders, accept: 'text/html' };
    expect((await get(`${run._id}/cases`)).status).to.equal(404);
  });
});
