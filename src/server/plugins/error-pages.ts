import type { Boom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import { RunhookError } from '#src/domain/errors.js';
import { ErrorPage } from '#src/web/error-page.js';
import { renderPage } from '#src/web/http/render-page.js';
import { isForBrowser } from '#src/server/http/browser.js';
import { pageHeaders } from '#src/server/http/page-response.js';
import { pageContextOf } from '#src/server/pages/page-context-of.js';

/** Errors as pages for people's browsers. Register it after what maps errors: it takes their status and headers. */
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

/** Changes the error's own answer: replacing the response would hide the error from the log. */
function showAsPage(request: Request, error: Boom): void {
  const { output } = error;
  const retryAfter = Number(output.headers['retry-after']);
  // What was sent by a form is not asked for again by itself.
  const triesAgain = output.statusCode === 503 && retryAfter > 0 && request.method === 'get';
  const page = ErrorPage({
    statusCode: output.statusCode,
    reason: error instanceof RunhookError ? error.reason : undefined,
    // The words of other errors may hold what is nobody's business.
    detail: error instanceof RunhookError && error.expose ? error.message : undefined,
    retryAfterSeconds: triesAgain ? retryAfter : undefined,
    requestId: request.app.requestId,
    // The sentence that a form has left is for the next page that is well.
    page: { ...pageContextOf(request), notice: undefined, isDialog: false },
  });
  Object.assign(output.headers, pageHeaders(request));
  // Boom allows any content; its type knows only its own.
  output.payload = renderPage(page) as unknown as Boom['output']['payload'];
}
