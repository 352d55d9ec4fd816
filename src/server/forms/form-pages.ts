import type { ReqRef, ReqRefDefaults, Request, ServerRoute } from '@hapi/hapi';
import type { VNode } from 'preact';
import { pageRoute, type PageRoute } from '#src/server/pages/page-route.js';
import type { FormState, FormValues } from '#src/web/components/form/form.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { formRoute, type FormRoute, type Redirect } from './form-route.js';
import type { SubmittedForm } from './submitted-form.js';

const CHANGED_MEANWHILE =
  'Someone else saved changes after you opened this page. The form contains your changes, and the current value is shown ' +
  'below each field that differs. Save again to overwrite their changes, or cancel to keep them.';

type Revisioned = { revision: number } | undefined;

/** @typeParam Existing the record that the form edits; undefined: the form edits none */
interface FormPages<Refs extends ReqRef, Existing extends Revisioned, Values extends FormValues>
  extends Omit<FormRoute<Refs>, 'submit' | 'rerender'>, Pick<PageRoute<Refs>, 'query'> {
  /** Of the page, when more people may see it than submit the form. */
  readAccess?: PageRoute<Refs>['access'];
  load?(request: Request<Refs>): Promise<Existing>;
  /** What the form contains when it is opened. */
  values?(request: Request<Refs>, existing: Existing): Promise<Values> | Values;
  /** What it contains when it is shown again. Default: all fields as submitted. */
  submitted?(form: SubmittedForm): Promise<Values> | Values;
  show(request: Request<Refs>, page: SignedInPage, form: FormState<Values>, existing: Existing): Promise<VNode> | VNode;
  /** As of a FormRoute. @returns also values to continue with: the button was not Save */
  submit(
    request: Request<Refs>,
    form: SubmittedForm,
    page: SignedInPage,
    existing: Existing,
  ): Promise<Redirect | VNode | { values: Values }>;
}

/**
 * GET and POST of a form. If its submission fails, the form is shown again as submitted, with the problem at its fields.
 * If the record has changed since the form was opened, it shows the current values too.
 */
export function formPages<
  Refs extends ReqRef = ReqRefDefaults,
  Existing extends Revisioned = undefined,
  Values extends FormValues = FormValues,
>(pages: FormPages<Refs, Existing, Values>): ServerRoute[] {
  const { readAccess, query, load, values, submitted, show, submit, ...route } = pages;
  const { path, access } = route;
  const loaded = async (request: Request<Refs>) => (await load?.(request)) as Existing;
  const saved = async (request: Request<Refs>, existing: Existing) =>
    (await values?.(request, existing)) ?? ({} as Values);
  return [
    pageRoute<Refs>({
      path,
      access: readAccess ?? access,
      query,
      async show(request, page) {
        const existing = await loaded(request);
        return show(request, page, { values: await saved(request, existing), revision: existing?.revision }, existing);
      },
    }),
    formRoute<Refs>({
      ...route,
      async submit(request, form, page) {
        const existing = await loaded(request);
        const revision = existing && form.revision();
        const outcome = await submit(request, form, page, existing);
        return 'values' in outcome ? show(request, page, { values: outcome.values, revision }, existing) : outcome;
      },
      async rerender(request, form, problem, page) {
        const existing = await loaded(request);
        const shown = (await submitted?.(form)) ?? (form.values as Values);
        if (!existing || problem.statusCode !== 412)
          return show(request, page, { values: shown, revision: existing && form.revision(), problem }, existing);
        const conflict = { message: CHANGED_MEANWHILE, fields: [] };
        const current = await saved(request, existing);
        return show(
          request,
          page,
          { values: shown, current, revision: existing.revision, problem: conflict },
          existing,
        );
      },
    }),
  ];
}
