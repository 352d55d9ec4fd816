import type { ServerRoute } from '@hapi/hapi';
import { isTerminal } from '#src/domain/runs/run-status.js';
import { RerunPage, StopPage } from './page.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { ofAnyRun, type RunParams } from '#src/web/runs/run-access.js';

/** Temporal has 5 s to accept the request. */
const STOP_ANSWER_MS = 9000;

/** GET and POST /runs/{runId}/stop: asks, and does it. */
export function stopRoutes(deps: RouteDeps): ServerRoute[] {
  const { reader, runs } = deps;
  return formPages<RunParams>({
    path: '/runs/{runId}/stop',
    access: ofAnyRun('runs.stop', deps),
    answerMs: STOP_ANSWER_MS,
    show: async ({ params }, page, { problem }) =>
      StopPage({ page, run: (await reader.find(params.runId)).run, problem }),
    async submit(request) {
      const { run } = await reader.find(request.params.runId);
      const { status } = await runs.stop(callerOf(request), run.kind, run._id);
      const notice = isTerminal(status) ? 'The run has already completed.' : 'Stopping… This takes a moment.';
      return { goTo: `/runs/${run._id}`, notice };
    },
  });
}

/** GET and POST /runs/{runId}/rerun, and of a suite run /rerun-failed: a new run like an earlier one. */
export function rerunRoutes(deps: RouteDeps, onlyFailed: boolean): ServerRoute[] {
  const { reader, runs } = deps;
  return formPages<RunParams>({
    path: `/runs/{runId}/${onlyFailed ? 'rerun-failed' : 'rerun'}`,
    access: ofAnyRun('runs.start', deps),
    show: async ({ params }, page, { problem }) =>
      RerunPage({ page, run: (await reader.find(params.runId)).run, onlyFailed, problem }),
    async submit(request) {
      const { run } = await reader.find(request.params.runId);
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const input = { kind: run.kind, runId: run._id, via: 'api' as const };
      const { id } = await (onlyFailed ? runs.rerunFailed(caller, input) : runs.rerun(caller, input));
      return { goTo: `/runs/${id}`, notice: 'New run started.' };
    },
  });
}
