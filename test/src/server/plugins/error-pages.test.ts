import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  StaleFormError,
  TooManyError,
  UnauthorizedError,
  UnavailableError,
} from '#src/domain/errors.js';
import { defineRoute } from '#src/server/route-deps.js';
import { formPayload } from '#src/server/http/form.js';
import { createServer } from '#src/server/server.js';
import { serverDeps } from '#test/builders/server-deps.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('error pages', () => {
  let server: Server;
  let thrown: () => Error;

  before(async () => {
    server = await createServer({ host: '127.0.0.1', port: 0 }, serverDeps());
    const handler = () => {
      throw thrown();
    };
    for (const method of ['GET', 'POST'] as const)
      server.route(
        defineRoute({
          method,
          path: '/failing',
          options: { app: { access: 'public' }, ...(method === 'POST' ? { payload: formPayload } : {}) },
          handler,
        }),
      );
  });

  const get = async (error: Error) => {
    thrown = () => error;
    return server.inject({ url: '/failing', headers: { ...BROWSER, 'x-request-id': 'the-id' } });
  };
  const post = async (error: Error, payload = '', type = 'application/x-www-form-urlencoded') => {
    thrown = () => error;
    return server.inject({ method: 'POST', url: '/failing', headers: { ...BROWSER, 'content-type': type }, payload });
  };

  const cases: [what: string, error: Error, status: number, ...texts: string[]][] = [
    ['a form of an old page', new StaleFormError('secret words'), 403, 'Reload the page', 'reload the page'],
    ['a role that does not allow it', new ForbiddenError('x'), 403, 'Permission denied', 'Ask an owner'],
    ['a session that has ended', new UnauthorizedError('x'), 401, 'You are not signed in', 'href="/sign-in"'],
    ['too many', new TooManyError('Two a day.', 9), 429, 'Too many requests', 'Two a day.', 'Wait a moment'],
    ['what does not go together', new ConflictError('in_use', 'The <b> is taken.'), 409, 'The &lt;b> is taken.'],
    ['malformed input', new InvalidInputError('The cursor is none.'), 400, 'Bad request', 'The cursor is none.'],
    ['an internal error', new Error('inside'), 500, 'Something went wrong', 'Reload the page'],
    [
      'an unavailable database',
      new UnavailableError('x', 5, { dependency: 'database' }),
      503,
      'The database is unavailable',
      'No run is lost',
    ],
    [
      'an unavailable Temporal',
      new UnavailableError('x', 5, { dependency: 'temporal' }),
      503,
      'Triggers still work',
      'start automatically',
    ],
    [
      'a server that shuts down',
      new UnavailableError('x', 1, { dependency: 'server' }),
      503,
      'shutting down',
      'every second',
    ],
    ['too much to do', new UnavailableError('Too many files.', 5), 503, 'Too many files.', 'Wait a moment'],
  ];
  for (const [what, error, status, ...texts] of cases)
    it(`state what to do about ${what}`, async () => {
      const answer = await get(error);
      expect(answer.statusCode).to.equal(status);
      expect(answer.headers['content-security-policy']).to.match(/script-src [^;']*\/assets\/;/);
      expect(answer.headers['cache-control']).to.equal('no-store');
      for (const text of texts) expect(answer.payload).to.include(text);
      expect(answer.payload)
        .to.include('What to do')
        .and.to.match(/<pre id="request-id"[^>]*>the-id</);
      expect(answer.payload).not.to.include('secret words').and.not.to.include('inside');
      expect(answer.payload.match(/<h1/g)).to.have.length(1);
    });

  it('are shown for a form that is too large or has the wrong content type', async () => {
    const large = await post(new Error('not reached'), `a=${'x'.repeat(20_000)}`);
    expect(large.statusCode).to.equal(413);
    expect(large.payload).to.include('Request too large');
    const other = await post(new Error('not reached'), '{}', 'application/json');
    expect(other.statusCode).to.equal(415);
    expect(other.payload).to.include('Unsupported media type');
  });

  it('reload automatically, but never resubmit a form', async () => {
    const unavailable = () => new UnavailableError('x', 5, { dependency: 'database' });
    expect((await get(unavailable())).payload)
      .to.include('data-retry="5"')
      .and.to.include('http-equiv="refresh" content="5"');
    const answer = await post(unavailable());
    expect(answer.statusCode).to.equal(503);
    expect(answer.payload).not.to.include('data-retry').and.not.to.include('http-equiv="refresh"');
  });
});
