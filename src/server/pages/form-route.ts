import type { ReqRef, ReqRefDefaults, Request, ResponseObject, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import type { VNode } from 'preact';
import { ROUTE_ANSWER_MS, withinAnswerTime } from '#src/services/trigger/within-answer-time.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import type { Access } from '#src/server/http/route-access.js';
import { filesPayload, formPayload, formProblem, withProblem, type RefusedForm } from '#src/server/http/form.js';
import { pageResponse } from '#src/server/http/page-response.js';
import { Form } from './form-fields.js';
import { withNotice } from './notice.js';
import { signedInPageOf } from './page-context-of.js';

/** What a form that was taken is answered with: another page, and what it says on top. */
export interface Taken {
  goTo: string;
  notice?: string;
}

export interface FormRoute<Refs extends ReqRef> {
  path: `/${string}`;
  access: Exclude<Access, 'public' | 'maybe-signed-in'>;
  /** 16 KiB unless said otherwise. */
  maxBytes?: number;
  /** It may be sent as multipart/form-data: see Form.file. */
  withFiles?: boolean;
  /** How long an answer may take, in ms. */
  answerMs?: number;
  /**
   * Does what the form asks for.
   * @returns where to go on to, or a page to answer with (of what is shown once)
   * @throws what services throw: an error that the sender can mend is shown with the form
   */
  take(request: Request<Refs>, form: Form, page: PageContext & { viewer: Viewer }): Promise<Taken | VNode>;
  /** The page of the form as it was sent, with what is wrong with it. Absent: an error is a page of its own. */
  again?(
    request: Request<Refs>,
    form: Form,
    problem: RefusedForm,
    page: PageContext & { viewer: Viewer },
  ): Promise<VNode> | VNode;
}

/** A form of a signed-in person: POST, its CSRF token checked by the door, then 303 to another page. */
export function formRoute<Refs extends ReqRef = ReqRefDefaults>(route: FormRoute<Refs>): ServerRoute {
  const { path, access, maxBytes, withFiles, answerMs = ROUTE_ANSWER_MS, take, again } = route;
  const payload = withFiles ? filesPayload : formPayload;
  const declared = {
    method: 'POST',
    path,
    options: { app: { access }, payload: { ...payload, ...(maxBytes === undefined ? {} : { maxBytes }) } },
    async handler(request: Request<Refs>, h: ResponseToolkit): Promise<ResponseObject> {
      const page = signedInPageOf(request);
      const form = new Form(request.payload);
      try {
        const taken = await withinAnswerTime(answerMs, () => take(request, form, page));
        if (!('goTo' in taken)) return pageResponse(h, taken);
        return withNotice(h.redirect(taken.goTo).code(303), taken.notice);
      } catch (error) {
        if (!again) throw error;
        const problem = formProblem(error);
        const shown = await withinAnswerTime(ROUTE_ANSWER_MS, async () => again(request, form, problem, page));
        return withProblem(pageResponse(h, shown), problem);
      }
    },
  };
  return declared as unknown as ServerRoute;
}
