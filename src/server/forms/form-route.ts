import type { ReqRef, ReqRefDefaults, Request, ResponseObject, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import type { VNode } from 'preact';
import { ROUTE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import type { Access } from '#src/server/http/route-access.js';
import { filesPayload, formPayload, formProblem, withProblem, type RefusedForm } from '#src/server/http/form.js';
import { pageResponse } from '#src/server/http/page-response.js';
import { withNotice } from '#src/server/pages/notice.js';
import { signedInPageOf } from '#src/server/pages/page-context-of.js';
import { SubmittedForm } from './submitted-form.js';

/** The page to go to after a form was accepted, and the notice that it shows. */
export interface Redirect {
  goTo: string;
  notice?: string;
}

export interface FormRoute<Refs extends ReqRef> {
  path: `/${string}`;
  access: Exclude<Access, 'public' | 'maybe-signed-in'>;
  /** Default: 16 KiB. */
  maxBytes?: number | undefined;
  /** Accepts multipart/form-data: see SubmittedForm.file. */
  withFiles?: boolean;
  /** Time limit of a response, in ms. */
  answerMs?: number;
  /**
   * Does what the form is for.
   * @returns where to go, or a page to respond with (of a secret that is shown once)
   * @throws what services throw: an error that the sender can fix is shown with the form
   */
  submit(request: Request<Refs>, form: SubmittedForm, page: SignedInPage): Promise<Redirect | VNode>;
  /** The page with the form as submitted, and its problem. Absent: an error has a page of its own. */
  rerender?(
    request: Request<Refs>,
    form: SubmittedForm,
    problem: RefusedForm,
    page: SignedInPage,
  ): Promise<VNode> | VNode;
}

/** POST of a form by a signed-in person; authentication has checked its CSRF token. Redirects with 303. */
export function formRoute<Refs extends ReqRef = ReqRefDefaults>(route: FormRoute<Refs>): ServerRoute {
  const { path, access, maxBytes, withFiles, answerMs = ROUTE_RESPONSE_MS, submit, rerender } = route;
  const payload = withFiles ? filesPayload : formPayload;
  const declared = {
    method: 'POST',
    path,
    options: { app: { access }, payload: { ...payload, maxBytes: maxBytes ?? payload.maxBytes } },
    async handler(request: Request<Refs>, h: ResponseToolkit): Promise<ResponseObject> {
      const page = signedInPageOf(request);
      const form = new SubmittedForm(request.payload);
      try {
        const outcome = await withinResponseTime(answerMs, () => submit(request, form, page));
        if (!('goTo' in outcome)) return pageResponse(h, outcome);
        return withNotice(h.redirect(outcome.goTo).code(303), outcome.notice);
      } catch (error) {
        if (!rerender) throw error;
        const problem = formProblem(error);
        const shown = await withinResponseTime(ROUTE_RESPONSE_MS, async () => rerender(request, form, problem, page));
        return withProblem(pageResponse(h, shown), problem);
      }
    },
  };
  return declared as unknown as ServerRoute;
}
