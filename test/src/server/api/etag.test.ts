import { expect } from 'chai';
import { InvalidInputError, ChangedMeanwhileError } from '#src/domain/errors.js';
import { etagOf, expectedRevision } from '#src/server/api/etag.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';

const revision = (ifMatch?: string) =>
  expectedRevision({ headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });

describe('expectedRevision', () => {
  it('parses the ETag of etagOf, also after a proxy made it weak', () => {
    expect([revision(etagOf(12)), revision(`W/${etagOf(12)}`), revision('*')]).to.eql([12, 12, '*']);
  });

  it('requires the header', () => {
    expect(() => revision())
      .to.throw()
      .with.nested.property('output.statusCode', 428);
  });

  it('distinguishes a malformed ETag from one without a revision', () => {
    for (const text of ['3', '', '"1", "2"', '"']) expect(() => revision(text), text).to.throw(InvalidInputError);
    for (const text of ['"x"', '"0"', '"1e3"', '""'])
      expect(() => revision(text), text).to.throw(ChangedMeanwhileError);
  });
});

describe('idempotencyKeyOf', () => {
  const key = (text: string) => idempotencyKeyOf({ headers: { 'idempotency-key': text } });

  it('accepts 1 to 255 printable ASCII characters', () => {
    expect([key('a b~'), key('k'.repeat(255)), idempotencyKeyOf({ headers: {} })]).to.eql([
      'a b~',
      'k'.repeat(255),
      undefined,
    ]);
    for (const text of ['', 'k'.repeat(256), 'é', 'a\tb']) expect(() => key(text), text).to.throw(InvalidInputError);
  });
});
