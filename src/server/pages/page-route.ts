import type { ReqRef, ReqRefDefaults, Request, ServerRoute } from '@hapi/hapi';
import type Joi from 'joi';
import type { VNode } from 'preact';
import { ROUTE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import type { Access } from '#src/server/http/route-access.js';
import { framePageResponse, pageResponse } from '#src/server/http/page-response.js';
import { noticeSaid } from './notice.js';
import { signedInPageOf } from './page-context-of.js';
import { checkedQuery } from './query.js';

export interface PageRoute<Refs extends ReqRef> {
  path: `/${string}`;
  /** `public` pages have routes of their own kind: their forms have no CSRF token. */
  access: Exclude<Access, 'public' | 'maybe-signed-in'>;
  /** Fields that the query may have; others are left out. A malformed one is refused. */
  query?: Joi.SchemaMap;
  /** It shows other addresses of this server in frames. */
  hasFrames?: boolean;
  /** @returns the page */
  show(request: Request<Refs>, page: SignedInPage): Promise<VNode> | VNode;
}

/** A page: GET, checked and answered in its time. Where only its content is wanted, as a dialog, the layout leaves the rest out. */
export function pageRoute<Refs extends ReqRef = ReqRefDefaults>(route: PageRoute<Refs>): ServerRoute {
  const { path, access, query = {}, hasFrames = false, show } = route;
  const declared = {
    method: 'GET',
    path,
    options: {
      app: { access },
      validate: checkedQuery(query),
    },
    async handler(request: Request<Refs>, h: Parameters<typeof pageResponse>[0]) {
      const page = signedInPageOf(request);
      const shown = await withinResponseTime(ROUTE_RESPONSE_MS, async () => show(request, page));
      return noticeSaid(request, hasFrames ? framePageResponse(h, shown) : pageResponse(h, shown));
    },
  };
  return declared as unknown as ServerRoute;
}
