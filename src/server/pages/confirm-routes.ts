import type { ReqRef, ReqRefDefaults, Request, ServerRoute } from '@hapi/hapi';
import type { VNode } from 'preact';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { formRoute, type FormRoute } from './form-route.js';
import { pageRoute } from './page-route.js';

export interface ConfirmRoutes<Refs extends ReqRef> extends Pick<
  FormRoute<Refs>,
  'path' | 'access' | 'answerMs' | 'take'
> {
  /** The page that asks, with what went wrong the last time. */
  ask(request: Request<Refs>, page: PageContext & { viewer: Viewer }, problem?: FormProblem): Promise<VNode> | VNode;
}

/** GET and POST of an action that is asked about first: see ConfirmPage. */
export function confirmRoutes<Refs extends ReqRef = ReqRefDefaults>(routes: ConfirmRoutes<Refs>): ServerRoute[] {
  const { ask, ...form } = routes;
  const { path, access } = form;
  return [
    pageRoute<Refs>({ path, access, show: (request, page) => ask(request, page) }),
    formRoute<Refs>({ ...form, again: (request, _form, problem, page) => ask(request, page, problem) }),
  ];
}
