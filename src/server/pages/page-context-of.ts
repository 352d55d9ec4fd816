import type { Request } from '@hapi/hapi';
import type { PageContext, ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { decideInProject, decideInRemovedProject } from '#src/domain/people/rights.js';
import { principalOf } from '#src/server/http/route-access.js';
import { viewerOf } from '#src/server/http/viewer-of.js';
import { noticeOf } from './notice.js';

type AnyRequest = Pick<Request, 'app' | 'state' | 'headers' | 'url'>;

/** What every page knows beside its own subject. */
export function pageContextOf(request: AnyRequest): PageContext {
  const { headers, url } = request;
  return {
    viewer: viewerOf(request),
    path: url.pathname + url.search,
    notice: noticeOf(request),
    isDialog: headers['x-runhook-dialog'] === 'true',
  };
}

/** The same on a page that only people who are signed in get. An API token opens it too; its forms would be refused. */
export function signedInPageOf(request: AnyRequest): SignedInPage {
  const page = pageContextOf(request);
  const { name, isAdmin } = principalOf(request);
  return { ...page, viewer: page.viewer ?? { email: name, isAdmin, csrfToken: '' } };
}

/** The project that authorization has found for this request. */
export function projectContextOf(request: Pick<Request, 'app'>, project: { name: string }): ProjectContext {
  const principal = principalOf(request);
  const opened = request.app.project;
  if (!opened) throw new Error('This route asks for no right in a project');
  return {
    id: opened.id,
    name: project.name,
    isRemoved: opened.isRemoved,
    may: (right) =>
      (opened.isRemoved
        ? decideInRemovedProject(principal, right, opened.id)
        : decideInProject(principal, right, opened.id, opened.role)) === 'allowed',
  };
}
