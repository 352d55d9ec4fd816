import { preconditionRequired } from '@hapi/boom';
import type { Request } from '@hapi/hapi';
import { invalidField } from '#src/domain/errors.js';
import { changedMeanwhile, type ExpectedRevision } from '#src/domain/targets/revision.js';

/** Compressing proxies make an ETag weak. */
const ETAG = /^(?:W\/)?"([^"]*)"$/;
const REVISION = /^[1-9]\d{0,14}$/;

/** The ETag of a revision. */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}

/**
 * The revision in a request's If-Match.
 * @throws Boom 428 without If-Match; InvalidInputError for a malformed ETag; ChangedMeanwhileError for one without a revision
 */
export function expectedRevision({ headers }: Pick<Request, 'headers'>): ExpectedRevision {
  const given: unknown = headers['if-match'];
  if (given === undefined)
    throw preconditionRequired(
      'The If-Match header is missing. Send the ETag of the version you read, or * to overwrite any version.',
    );
  const text = String(given).trim();
  if (text === '*') return '*';
  const tag = ETAG.exec(text)?.[1];
  if (tag === undefined) {
    throw invalidField(
      'If-Match',
      'If-Match must be a single ETag as returned by the API, such as "3" including the quotes, or *',
    );
  }
  if (!REVISION.test(tag)) throw changedMeanwhile();
  return Number(tag);
}
