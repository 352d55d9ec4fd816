import type { Request, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunAnswer } from '#src/domain/runs/run.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { ignoreBody, ignoredBody } from '#src/server/http/ignored-body.js';

const MAX_BODY_BYTES = 64 * 1024;

interface WebhookRefs {
  Params: { token: string; targetId: string };
  Headers: { 'idempotency-key'?: string };
}

/** POST {base}/webhooks/<token>/<tests|suites>/run/<id>: starts one run and returns its record (spec, section 4). */
export function webhookRunRoute(kind: TargetKind, deps: RouteDeps): ServerRoute {
  return defineRoute<WebhookRefs>({
    method: 'POST',
    path: pathOf(kind),
    options: { payload: ignoredBody, app: { access: 'public' } },
    async handler(request): Promise<RunAnswer> {
      await ignoreBody(request.raw.req, MAX_BODY_BYTES);
      const { token, targetId } = request.params;
      const { address } = request.app;
      const idempotencyKey = request.headers['idempotency-key'];
      const run = await deps.refusals.run({ address, credential: token }, () =>
        deps.trigger.byWebhook({ token, kind, targetId, idempotencyKey, address }),
      );
      return {
        id: run._id,
        modified: run.modified.toISOString(),
        status: run.status,
        webapp_url: `${deps.publicUrl}/runs/${run._id}`,
      };
    },
  });
}

/** Rejects other methods: a link preview must not start a run. */
export function webhookOtherMethodsRoute(kind: TargetKind): ServerRoute {
  return {
    method: '*',
    path: pathOf(kind),
    options: { payload: ignoredBody, app: { access: 'public' } },
    handler: (_request: Request, h: ResponseToolkit) =>
      h
        .response({
          statusCode: 405,
          error: 'Method Not Allowed',
          message: 'Send a POST request to this URL to start a run.',
        })
        .code(405)
        .header('allow', 'POST'),
  };
}

function pathOf(kind: TargetKind): string {
  return `/webhooks/{token}/${kind}s/run/{targetId}`;
}
