import { expect } from 'chai';
import { NotFoundError, UnavailableError } from '#src/domain/errors.js';
import type { RunReader } from '#src/services/runs/run-reader.js';
import { testRun } from '#test/builders/sample-runs.js';
import { BROWSER, pageServer } from '#test/support/page-server.js';

const run = testRun({ status: 'running' });

async function get(find: RunReader['find'], headers: Record<string, string> = BROWSER, url = `/runs/${run._id}`) {
  const { server, logged } = await pageServer({ find });
  return { answer: await server.inject({ url, headers }), logged };
}
const failing = (error: () => Error) => async () => {
  throw error();
};

describe('GET /runs/{id}', () => {
  it('has strict security headers, and is not cached', async () => {
    const { answer } = await get(failing(() => new NotFoundError('No run has this ID.')));
    expect(answer.headers['content-security-policy'])
      .to.match(/^default-src 'none'; /)
      .and.not.to.match(/unsafe/);
    expect(answer.headers['referrer-policy']).to.equal('no-referrer');
    expect(answer.headers['x-content-type-options']).to.equal('nosniff');
    expect(answer.headers['cache-control']).to.equal('no-store');
  });

  it('looks up the ID in the path', async () => {
    let asked: string | undefined;
    await get(async (id) => {
      asked = id;
      throw new NotFoundError('No run has this ID.');
    });
    expect(asked).to.equal(run._id);
  });

  it('returns 404 as a page to a browser, and as JSON to others', async () => {
    const find = failing(() => new NotFoundError('No run has this ID.'));
    const { answer } = await get(find);
    expect(answer.statusCode).to.equal(404);
    expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).to.be.a('string');
    expect(answer.payload).to.include('Page not found');
    const { answer: json } = await get(find, { accept: 'application/json' });
    expect(JSON.parse(json.payload)).to.deep.equal({
      statusCode: 404,
      error: 'Not Found',
      message: 'No run has this ID.',
    });
  });

  it('returns 503 with Retry-After as a page that reloads', async () => {
    const { answer } = await get(failing(() => new UnavailableError('The database is unavailable.', 5)));
    expect(answer.statusCode).to.equal(503);
    expect(answer.headers['retry-after']).to.equal('5');
    expect(answer.headers['x-request-id']).to.be.a('string');
    expect(answer.payload).to.include('http-equiv="refresh" content="5"').and.to.include('No run is lost');
  });

  it('does not expose an internal error, and logs it', async () => {
    const { answer, logged } = await get(failing(() => new Error('secret detail')));
    expect(answer.statusCode).to.equal(500);
    expect(answer.payload).to.include('Something went wrong').and.not.to.include('secret detail');
    expect(answer.payload).to.include(String(answer.headers['x-request-id']));
    expect(logged.join('')).to.include('secret detail');
  });
});

describe('errors of other URLs', () => {
  const statusAndType = async (url: string) => {
    const { answer } = await get(
      failing(() => new Error('not asked for')),
      BROWSER,
      url,
    );
    return [answer.statusCode, String(answer.headers['content-type']).split(';')[0]];
  };

  it('are pages in a browser', async () => {
    expect(await statusAndType('/nowhere')).to.deep.equal([404, 'text/html']);
    expect(await statusAndType('/runs/%')).to.deep.equal([400, 'text/html']);
  });

  it('are JSON below /webhooks', async () => {
    expect(await statusAndType('/webhooks/nowhere')).to.deep.equal([404, 'application/json']);
    expect(await statusAndType('/webhooks/%')).to.deep.equal([404, 'application/json']);
  });
});
