import type { ServerRoute } from '@hapi/hapi';
import { isTerminal } from '../../../../domain/run-status.js';
import type { FormProblem } from '../../../../web/components/form.js';
import { RerunPage, StopPage } from '../../../../web/pages/runs/action-pages.js';
import { callerOf, principalOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';
import { ofAnyRun, type RunParams } from './access.js';

/** Temporal has 5 s to take the request. */
const STOP_ANSWER_MS = 9000;

/** GET and POST /runs/{runId}/stop: asks, and does it. */
export function stopRoutes(deps: RouteDeps): ServerRoute[] {
  const { reader, runs } = deps;
  const path = '/runs/{runId}/stop';
  const access = ofAnyRun('runs.stop', deps);
  return [
    pageRoute<RunParams>({
      path,
      access,
      show: async ({ params }, page) => StopPage({ page, run: (await reader.find(params.runId)).run }),
    }),
    formRoute<RunParams>({
      path,
      access,
      answerMs: STOP_ANSWER_MS,
      async take(request) {
        const { run } = await reader.find(request.params.runId);
        const { status } = await runs.stop(callerOf(request), run.kind, run._id);
        const notice = isTerminal(status) ? 'The run is over.' : 'The run is asked to stop. That takes a moment.';
        return { goTo: `/runs/${run._id}`, notice };
      },
      again: async ({ params }, _form, problem, page) =>
        StopPage({ page, run: (await reader.find(params.runId)).run, problem }),
    }),
  ];
}

/** GET and POST /runs/{runId}/rerun, and of a suite run /rerun-failed: a new run like an earlier one. */
export function rerunRoutes(deps: RouteDeps, onlyFailed: boolean): ServerRoute[] {
  const { reader, runs } = deps;
  const path = `/runs/{runId}/${onlyFailed ? 'rerun-failed' : 'rerun'}` as const;
  const access = ofAnyRun('runs.start', deps);
  const ask = async (runId: string, page: Parameters<typeof RerunPage>[0]['page'], problem?: FormProblem) =>
    RerunPage({ page, run: (await reader.find(runId)).run, onlyFailed, problem });
  return [
    pageRoute<RunParams>({ path, access, show: ({ params }, page) => ask(params.runId, page) }),
    formRoute<RunParams>({
      path,
      access,
      async take(request) {
        const { run } = await reader.find(request.params.runId);
        const caller = { ...callerOf(request), principal: principalOf(request) };
        const wanted = { kind: run.kind, runId: run._id, via: 'api' as const };
        const { id } = await (onlyFailed ? runs.rerunFailed(caller, wanted) : runs.rerun(caller, wanted));
        return { goTo: `/runs/${id}`, notice: 'This is the new run.' };
      },
      again: ({ params }, _form, problem, page) => ask(params.runId, page, problem),
    }),
  ];
}
