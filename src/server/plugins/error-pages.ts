import type { Boom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import { ErrorPage } from '../../web/pages/error-page.js';
import { renderPage } from '../../web/render-page.js';
import { isForBrowser } from '../browser.js';
import { PAGE_HEADERS } from '../page-response.js';
import { pageContextOf } from '../pages/page-context.js';

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
function showAsPage(request: Request, { output }: Boom): void {
  const retryAfter = Number(output.headers['retry-after']);
  const page = ErrorPage({
    statusCode: output.statusCode,
    retryAfterSeconds: output.statusCode === 503 && retryAfter > 0 ? retryAfter : undefined,
    requestId: request.app.requestId,
    page: pageContextOf(request),
  });
  Object.assign(output.headers, PAGE_HEADERS);
  // Boom allows any content; its type knows only its own.
  output.payload = renderPage(page) as unknown as Boom['output']['payload'];
}
