import { unsupportedMediaType } from '@hapi/boom';
import type { Request, ResponseToolkit } from '@hapi/hapi';

/** What hapi decodes; a body in any other encoding would be read as it came. */
const KNOWN = ['gzip', 'deflate', 'identity'];

/** Before a body is read: refuses encodings that nobody here decodes. Routes that do not use their body are left out. */
export function refuseUnknownEncoding(request: Request, h: ResponseToolkit) {
  const encoding = request.headers['content-encoding'];
  const { payload } = request.route.settings;
  if (encoding === undefined || !payload || payload.parse === false) return h.continue;
  if (KNOWN.includes(String(encoding).trim().toLowerCase())) return h.continue;
  throw unsupportedMediaType('Send the body uncompressed, or with Content-Encoding gzip or deflate.');
}
