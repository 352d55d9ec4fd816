import type { Boom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import {
  ConflictError,
  InvalidInputError,
  StaleFormError,
  TooManyError,
  UnavailableError,
} from '../../domain/errors.js';
import type { FailureReason } from '../../web/failure-texts.js';
import { ErrorPage } from '../../web/pages/error-page.js';
import { renderPage } from '../../web/render-page.js';
import { isForBrowser } from '../browser.js';
import { pageHeaders } from '../page-response.js';
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
function showAsPage(request: Request, error: Boom): void {
  const { output } = error;
  const retryAfter = Number(output.headers['retry-after']);
  // What was sent by a form is not asked for again by itself.
  const triesAgain = output.statusCode === 503 && retryAfter > 0 && request.method === 'get';
  const page = ErrorPage({
    statusCode: output.statusCode,
    reason: reasonOf(error),
    detail: detailOf(error),
    retryAfterSeconds: triesAgain ? retryAfter : undefined,
    requestId: request.app.requestId,
    // The sentence that a form has left is for the next page that is well.
    page: { ...pageContextOf(request), notice: undefined, isDialog: false },
  });
  Object.assign(output.headers, pageHeaders(request));
  // Boom allows any content; its type knows only its own.
  output.payload = renderPage(page) as unknown as Boom['output']['payload'];
}

function reasonOf(error: Error): FailureReason | undefined {
  if (error instanceof StaleFormError) return 'stale-form';
  return error instanceof UnavailableError ? error.away : undefined;
}

/** Our own words, where they say more than the status. Those of other errors may hold what is nobody's business. */
function detailOf(error: Error): string | undefined {
  const isTelling =
    error instanceof InvalidInputError ||
    error instanceof ConflictError ||
    error instanceof TooManyError ||
    (error instanceof UnavailableError && error.away === undefined);
  return isTelling ? error.message : undefined;
}
