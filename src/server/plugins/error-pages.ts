import type { Boom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import { RunhookError } from '#src/domain/errors.js';
import { ErrorPage } from '#src/web/error-page.js';
import { renderPage } from '#src/web/http/render-page.js';
import { isForBrowser } from '#src/server/http/browser.js';
import { pageHeaders } from '#src/server/http/page-response.js';
import { pageContextOf } from '#src/server/pages/page-context-of.js';

/** Renders errors as pages for browsers. Register it after `errors`, whose status and headers it uses. */
export const errorPages: Plugin<undefined> = {
  name: 'error-pages',
  register(server) {
    server.ext('onPreResponse', (request, h) => {
      const { response } = request;
      if ('isBoom' in response && isForBrowser(request)) showAsPage(request, response);
      return h.continue;
    });
  },
};

/** Changes the error's own response: replacing it would hide the error from the log. */
function showAsPage(request: Request, error: Boom): void {
  const { output } = error;
  const retryAfter = Number(output.headers['retry-after']);
  // A form submission is not repeated automatically.
  const reloads = output.statusCode === 503 && retryAfter > 0 && request.method === 'get';
  const page = ErrorPage({
    statusCode: output.statusCode,
    reason: error instanceof RunhookError ? error.reason : undefined,
    // Messages of other errors may contain confidential data.
    detail: error instanceof RunhookError && error.expose ? error.message : undefined,
    retryAfterSeconds: reloads ? retryAfter : undefined,
    requestId: request.app.requestId,
    // The notice of a submitted form is kept for the next page without an error.
    page: { ...pageContextOf(request), notice: undefined, isDialog: false },
  });
  Object.assign(output.headers, pageHeaders(request));
  // Boom allows any payload; its type does not.
  output.payload = renderPage(page) as unknown as Boom['output']['payload'];
}
