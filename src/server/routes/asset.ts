import { extname } from 'node:path';
import { notFound } from '@hapi/boom';
import type { ServerRoute } from '@hapi/hapi';
import { assets } from '#src/web/http/asset-files.js';
import { defineRoute } from '#src/server/route-deps.js';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const A_YEAR = 'public, max-age=31536000, immutable';

interface AssetRefs {
  Params: { file: string };
  Query: { v?: string };
}

/** GET /assets/{file}?v={hash}: static files, cached forever under the URL with their hash, and otherwise not at all. */
export function assetRoute(): ServerRoute {
  return defineRoute<AssetRefs>({
    method: 'GET',
    path: '/assets/{file}',
    options: { app: { access: 'public' } },
    handler({ params, query }, h) {
      const asset = assets.get(params.file);
      if (!asset) throw notFound();
      return h
        .response(asset.content)
        .type(TYPES[extname(params.file)] ?? 'application/octet-stream')
        .header('cache-control', query.v === asset.hash ? A_YEAR : 'no-cache')
        .header('x-content-type-options', 'nosniff');
    },
  });
}
