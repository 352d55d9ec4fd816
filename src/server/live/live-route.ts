import type { ReqRef, ReqRefDefaults, Request, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import type Joi from 'joi';
import type { ProjectRight } from '#src/domain/people/rights.js';
import { principalOf, type Access } from '#src/server/http/route-access.js';
import { checkedQuery } from '#src/server/pages/query.js';
import type { LiveSource } from './channel.js';
import type { LiveStreams } from './live-streams.js';

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    /** Read by a script, whatever it accepts: its errors are no pages. */
    isStream?: true;
  }
}

interface LiveRoute<Refs extends ReqRef> {
  path: `/${string}`;
  access: Extract<Access, { right: ProjectRight; project: unknown }>;
  /** Fields that the query may have: pages that differ by them are different pages. Others are left out. */
  query?: Joi.SchemaMap;
  /** What the page shows. Only the path and the query may be asked for: it is shared by all who look at this address. */
  source(request: Pick<Request<Refs>, 'params' | 'query'>): LiveSource;
}

/** Server-sent events of a live page: its whole state, then what changes. `<LiveStream>` listens to it. */
export function liveRoute<Refs extends ReqRef = ReqRefDefaults>(
  { path, access, query = {}, source }: LiveRoute<Refs>,
  streams: LiveStreams,
): ServerRoute {
  const declared = {
    method: 'GET',
    path,
    options: {
      app: { access, isStream: true },
      validate: checkedQuery(query),
    },
    handler(request: Request<Refs>, h: ResponseToolkit) {
      const { params, query: wanted } = request;
      const viewer = { principal: principalOf(request), right: access.right, projectId: request.app.project!.id };
      const stream = streams.open(`${path} ${JSON.stringify([params, wanted])}`, viewer, () =>
        source({ params, query: wanted }),
      );
      request.raw.res.once('close', () => stream.body.destroy());
      return (
        h
          .response(stream.body)
          .type('text/event-stream')
          .header('cache-control', 'no-store')
          // Each message goes out by itself: nothing on the way may wait for more.
          .header('content-encoding', 'identity')
          .header('x-accel-buffering', 'no')
          .header('x-content-type-options', 'nosniff')
      );
    },
  };
  return declared as unknown as ServerRoute;
}
