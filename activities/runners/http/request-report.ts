import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import { VariableMissingError } from '#activities/fill-in.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { Failure } from './response-snapshot.js';
import type { HttpResponse } from './client.js';
import { beginningOf, truncated, exchangeText } from './exchange-text.js';
import { shownUrl } from './build-request.js';
import type { RequestMemory } from './request-memory.js';
import type { Exchange } from './send.js';
import type { Values } from './values.js';

/** Characters of an actual value that messages show. */
const SHOWN_ACTUAL = 200;

/** The result of a request. */
export interface RequestEnd {
  /** Failures, as shown to users; empty if the request passed. */
  failures: string[];
  response?: HttpResponse | undefined;
  /** A retry would not help. */
  isFinal?: true | undefined;
}

/** Reports the requests of an attempt: in its log, its steps and its failure message. */
export interface RequestReport {
  /** Writes exchanges to the log. */
  exchanges(exchanges: readonly Exchange[]): Promise<void>;
  /** Writes the step of a request. @param durationMs total of all attempts @param details lines below the step */
  ended(
    request: HttpRequest,
    number: number,
    end: RequestEnd,
    startedAt: Date,
    durationMs: number,
    details: string[],
  ): Promise<void>;
  /** Writes the step of a request that is not sent. */
  skipped(request: HttpRequest): Promise<void>;
  /** The text of a failure with the actual value. */
  failureText(failure: Failure): string;
  /** The failure message of the run. */
  whyFailed(request: HttpRequest, number: number, end: RequestEnd, tries: number): string;
}

export function createRequestReport(
  { steps, log }: Pick<Attempt, 'steps' | 'log'>,
  { values, maskCaptured, mask }: RequestMemory,
): RequestReport {
  return {
    async exchanges(exchanges) {
      for (const exchange of exchanges) await log.write('stdout', `${exchangeText(exchange, mask)}\n`);
    },

    async ended(request, number, { failures, response }, startedAt, durationMs, details) {
      const outcome = response ? ` → ${response.status} in ${Math.round(response.totalMs)} ms` : '';
      const message = maskCaptured(failures.join('\n'));
      await steps.write({
        depth: 0,
        title: maskCaptured(`${titleOf(request, values)}${outcome}`),
        status: failures.length > 0 ? 'failed' : 'passed',
        startedAt,
        durationMs,
        ...(message && { message }),
        ...(details.length > 0 && { details }),
      });
      if (message) await log.write('stderr', `Request ${number} failed: ${message}\n`);
    },

    skipped: (request) =>
      steps.write({
        depth: 0,
        title: titleWith(request, request.url),
        status: 'skipped',
        startedAt: new Date(),
        durationMs: 0,
      }),

    failureText: ({ text, actual }) => (actual === undefined ? text : `${text} ${shortened(mask(actual))}`),

    whyFailed(request, number, { failures, response }, tries) {
      const beginning = response && beginningOf(response, SHOWN_ACTUAL, mask);
      const ending = beginning ? `\nResponse body: ${beginning}` : '';
      const afterTries = tries > 1 ? ` after ${tries} attempts` : '';
      return maskCaptured(
        `Request ${number}, ${titleOf(request, values)}${afterTries}: ${failures.join('\n')}${ending}`,
      );
    },
  };
}

/** `Create an order: POST /orders` */
function titleOf(request: HttpRequest, values: Values): string {
  try {
    return titleWith(request, shownUrl(request, values));
  } catch (error) {
    // A missing variable, which the failure already reports.
    if (!(error instanceof VariableMissingError)) throw error;
    return titleWith(request, request.url);
  }
}

const titleWith = ({ name, method = 'GET' }: HttpRequest, address: string) =>
  `${name ? `${name}: ` : ''}${method} ${address}`;

function shortened(text: string): string {
  const shown = truncated(text, SHOWN_ACTUAL);
  return shown.length < text.length ? `${shown}…` : shown;
}
