import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import { VariableMissingError } from '#activities/fill-in.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { Failure } from './seen-answer.js';
import type { Answer } from './client.js';
import { beginningOf, cut, exchangeText } from './exchange-text.js';
import { shownAddress } from './request.js';
import type { RequestMemory } from './request-memory.js';
import type { Exchange } from './send.js';
import type { Values } from './values.js';

/** Of what is there instead of what was expected, in characters. */
const SHOWN_ACTUAL = 200;

/** How a request came out. */
export interface RequestEnd {
  /** What a person is told; empty: all that was expected holds. */
  failures: string[];
  answer?: Answer;
  /** Another try would be no better. */
  isFinal?: true;
}

/** Tells of an attempt's requests: its log, their steps, and what a failure is called. */
export interface RequestReport {
  /** Into the log. */
  exchanges(exchanges: readonly Exchange[]): Promise<void>;
  /** Its step. @param durationMs in ms, of all tries @param details lines below it */
  ended(
    request: HttpRequest,
    number: number,
    end: RequestEnd,
    startedAt: Date,
    durationMs: number,
    details: string[],
  ): Promise<void>;
  /** The step of one that is not sent any more. */
  skipped(request: HttpRequest): Promise<void>;
  /** What is not as expected, with what is there instead. */
  failureText(failure: Failure): string;
  /** Why a request failed, for the run. */
  whyFailed(request: HttpRequest, number: number, end: RequestEnd, tries: number): string;
}

export function createRequestReport(
  { steps, log }: Pick<Attempt, 'steps' | 'log'>,
  { values, hide, mask }: RequestMemory,
): RequestReport {
  return {
    async exchanges(exchanges) {
      for (const exchange of exchanges) await log.write('stdout', `${exchangeText(exchange, mask)}\n`);
    },

    async ended(request, number, { failures, answer }, startedAt, durationMs, details) {
      const outcome = answer ? ` → ${answer.status} in ${Math.round(answer.totalMs)} ms` : '';
      const message = hide(failures.join('\n'));
      await steps.write({
        depth: 0,
        title: hide(`${titleOf(request, values)}${outcome}`),
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

    whyFailed(request, number, { failures, answer }, tries) {
      const beginning = answer && beginningOf(answer, SHOWN_ACTUAL, mask);
      const ending = beginning ? `\nResponse body: ${beginning}` : '';
      const afterTries = tries > 1 ? ` after ${tries} attempts` : '';
      return hide(`Request ${number}, ${titleOf(request, values)}${afterTries}: ${failures.join('\n')}${ending}`);
    },
  };
}

/** `Create an order: POST /orders` */
function titleOf(request: HttpRequest, values: Values): string {
  try {
    return titleWith(request, shownAddress(request, values));
  } catch (error) {
    // It names a variable that is not there, which is told already.
    if (!(error instanceof VariableMissingError)) throw error;
    return titleWith(request, request.url);
  }
}

const titleWith = ({ name, method = 'GET' }: HttpRequest, address: string) =>
  `${name ? `${name}: ` : ''}${method} ${address}`;

function shortened(text: string): string {
  const shown = cut(text, SHOWN_ACTUAL);
  return shown.length < text.length ? `${shown}…` : shown;
}
