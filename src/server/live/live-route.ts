import type { ReqRef, ReqRefDefaults, Request, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import type Joi from 'joi';
import type { ProjectRight } from '#src/domain/people/rights.js';
import { principalOf, type Access } from '#src/server/http/route-access.js';
import { checkedQuery } from '#src/server/pages/query.js';
import type { LiveSource } from './channel.js';
import type { LiveStreams } from './live-streams.js';

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    /** Read by a script: errors are not rendered as pages, regardless of the Accept header. */
    isStream?: true;
  }
}

interface LiveRoute<Refs extends ReqRef> {
  path: `/${string}`;
  access: Extract<Access, { right: ProjectRight; project: unknown }>;
  /** Allowed query parameters, which distinguish pages. Others are ignored. */
  query?: Joi.SchemaMap;
  /** Content of the page. It may depend on path and query only, because all viewers of the URL share it. */
  source(request: Pick<Request<Refs>, 'params' | 'query'>): LiveSource;
}

/** Server-sent events of a live page: its whole state, then changes. `<LiveStream>` is the client. */
export function liveRoute<Refs extends ReqRef = ReqRefDefaults>(
  { path, access, query: querySchema = {}, source }: LiveRoute<Refs>,
  streams: LiveStreams,
): ServerRoute {
  const declared = {
    method: 'GET',
    path,
    options: {
      app: { access, isStream: true },
      validate: checkedQuery(querySchema),
    },
    handler(request: Request<Refs>, h: ResponseToolkit) {
      const { params, query } = request;
      const viewer = { principal: principalOf(request), right: access.right, projectId: request.app.project!.id };
      const stream = streams.open(`${path} ${JSON.stringify([params, query])}`, viewer, () =>
        source({ params, query }),
      );
      request.raw.res.once('close', () => stream.body.destroy());
      return (
        h
          .response(stream.body)
          .type('text/event-stream')
          .header('cache-control', 'no-store')
          // No compression or buffering on the way: each message must be delivered at once.
          .header('content-encoding', 'identity')
          .header('x-accel-buffering', 'no')
          .header('x-content-type-options', 'nosniff')
      );
    },
  };
  return declared as unknown as ServerRoute;
}
