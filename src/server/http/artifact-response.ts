import type { ResponseObject } from '@hapi/hapi';
import type { Readable } from 'node:stream';
import type { OpenedArtifact } from '#src/services/runs/artifact-reader.js';

const ANY = 'application/octet-stream';
/** Shown in place; anything else is only ever saved: it may be a page with scripts. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** What of hapi's toolkit a file needs: toolkits of differently typed routes have no common type. */
interface Responder {
  response(content: Readable): ResponseObject;
}

export const isPicture = (contentType: string | undefined) => PICTURES.includes(contentType ?? '');

/** Responds with a file that a test has written. It is not trusted: pictures are shown, other files are downloaded. */
export function artifactResponse(h: Responder, { file, content }: OpenedArtifact): ResponseObject {
  const { filename, length, metadata } = file;
  const shows = isPicture(metadata.contentType);
  const response = h
    .response(content)
    .type(shows ? metadata.contentType! : ANY)
    .bytes(length)
    .header('content-disposition', `${shows ? 'inline' : 'attachment'}; ${fileName(filename)}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    // Asked for again each time, for the right may be gone; sent again only when it is not what the browser has.
    .header('cache-control', 'private, no-cache');
  return metadata.sha256 ? response.etag(metadata.sha256) : response;
}

/** A name in a header, whatever is in it (RFC 6266). */
export function fileName(name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `filename*=UTF-8''${encoded}`;
}
