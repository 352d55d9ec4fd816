import { unsupportedMediaType } from '@hapi/boom';
import type { Request, ResponseToolkit } from '@hapi/hapi';

/** Encodings that hapi decodes; it would not decode any other. */
const KNOWN = ['gzip', 'deflate', 'identity'];

/** Rejects unsupported encodings before the body is read. Routes that ignore their body accept any. */
export function refuseUnknownEncoding(request: Request, h: ResponseToolkit) {
  const encoding = request.headers['content-encoding'];
  const { payload } = request.route.settings;
  if (encoding === undefined || !payload || payload.parse === false) return h.continue;
  if (KNOWN.includes(String(encoding).trim().toLowerCase())) return h.continue;
  throw unsupportedMediaType(
    'This Content-Encoding is not supported. Send the body uncompressed, or with gzip or deflate.',
  );
}
