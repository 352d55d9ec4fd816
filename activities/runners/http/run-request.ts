import { setTimeout as sleep } from 'node:timers/promises';
import { CookieJar } from 'tough-cookie';
import type { HttpTest } from '#src/domain/targets/definitions.js';
import { SHORTEST_PAUSE_MS } from '#src/domain/http-test/request-fields.js';
import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import type { Json } from '#src/domain/json.js';
import { durationMs } from '#src/domain/project-file/duration.js';
import { VariableMissingError } from '#activities/fill-in.js';
import { NetworkRefusedError, type NetworkGuard } from '#activities/network/network-guard.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { ResponseChecker } from './response-checker.js';
import { BadRequestError } from './bad-request-error.js';
import { checkResponse, type CheckResult } from './check-response.js';
import { createClient, type HttpResponse } from './client.js';
import { timesText } from './exchange-text.js';
import { readTestFile } from './read-test-file.js';
import { buildRequest } from './build-request.js';
import { createRequestMemory } from './request-memory.js';
import { createRequestReport, type RequestEnd } from './request-report.js';
import { cookiesOf, sendRequest, type Exchange, type Session } from './send.js';
import { explainRequestError } from './explain-request-error.js';
import { fillExpectations } from './values.js';

const DEFAULT_TIMEOUT = '30s';
const DEFAULT_PAUSE = '1s';

/** Runs the requests of one attempt, which share connections, cookies and captured values. */
export interface RequestRunner {
  /**
   * Sends a request, with retries, and writes its exchanges to the log and its step.
   * @returns why it failed; undefined if it passed
   * @throws VariableMissingError, NetworkRefusedError; anything when the attempt's signal is aborted
   */
  run(request: HttpRequest, number: number): Promise<string | undefined>;
  /** Records requests that are not sent. */
  skip(requests: readonly HttpRequest[]): Promise<void>;
  close(): Promise<void>;
}

export function createRequestRunner(
  { guard, checker }: { guard: NetworkGuard; checker: ResponseChecker },
  test: HttpTest,
  attempt: Attempt,
): RequestRunner {
  const session: Session = {
    client: createClient(guard, test),
    jar: test.cookies === 'none' ? undefined : new CookieJar(),
  };
  const memory = createRequestMemory(attempt);
  const report = createRequestReport(attempt, memory);

  async function sendOnce(request: HttpRequest, number: number): Promise<RequestEnd> {
    const exchanges: Exchange[] = [];
    const timeoutMs = durationMs(request.timeout ?? DEFAULT_TIMEOUT)!;
    const timeout = AbortSignal.timeout(timeoutMs);
    let hasResponse = false;
    try {
      const signal = AbortSignal.any([attempt.signal, timeout]);
      const first = await buildRequest(test, request, memory.values, attempt, signal);
      const begin = performance.now();
      const response = await sendRequest(session, first, request.redirects ?? 'follow', exchanges, signal);
      hasResponse = true;
      const { failures, captured, isGivenUp } = await check(request, response, exchanges, performance.now() - begin);
      memory.store(request, captured);
      await report.exchanges(exchanges);
      return { failures: failures.map(report.failureText), response, isFinal: isGivenUp };
    } catch (error) {
      attempt.signal.throwIfAborted();
      await report.exchanges(exchanges);
      const refused = networkRefusal(error);
      if (refused || error instanceof VariableMissingError) {
        const failures = [(refused ?? (error as Error)).message];
        await report.ended(request, number, { failures }, new Date(), 0, []);
        throw refused ?? error;
      }
      if (error instanceof BadRequestError) return { failures: [error.message] };
      if (hasResponse || exchanges.length === 0) throw error;
      return {
        failures: [
          explainRequestError(
            error as Error,
            exchanges.at(-1)!.request.url.host,
            timeout.aborted ? timeoutMs : undefined,
          ),
        ],
      };
    }
  }

  async function check(
    { expect = {}, capture = {} }: HttpRequest,
    { status, headers, body }: HttpResponse,
    exchanges: Exchange[],
    totalMs: number,
  ): Promise<CheckResult> {
    const { schemaFile, time, ...filled } = fillExpectations(expect, memory.values);
    const task = {
      response: { status, headers, body, cookies: cookiesOf(exchanges, session.jar), totalMs },
      expect: schemaFile === undefined ? filled : { ...filled, schema: await schemaIn(schemaFile) },
      belowMs: time && durationMs(time.below)!,
      capture,
    };
    // Only checks that a test defines can be slow.
    const needsThread = ['headers', 'json', 'schema', 'text'].some((field) => field in task.expect);
    return needsThread || Object.keys(capture).length > 0
      ? checker.check(attempt.projectId, task, attempt.signal)
      : checkResponse(task);
  }

  async function schemaIn(path: string): Promise<{ [keyword: string]: Json }> {
    try {
      return JSON.parse((await readTestFile(attempt, path, attempt.signal)).toString()) as { [keyword: string]: Json };
    } catch (error) {
      if (error instanceof SyntaxError) throw new BadRequestError(`the schema in ${path} is not valid JSON`);
      throw error;
    }
  }

  return {
    async run(request, number) {
      const { times = 1, every = DEFAULT_PAUSE } = request.retry ?? {};
      const startedAt = new Date();
      const begin = performance.now();
      let last = await sendOnce(request, number);
      let tries = 1;
      for (; last.failures.length > 0 && !last.isFinal && tries < times; tries++) {
        await attempt.log.write('system', `Attempt ${tries} of ${times}: ${memory.maskCaptured(last.failures[0]!)}\n`);
        await sleep(Math.max(durationMs(every)!, SHORTEST_PAUSE_MS), undefined, { signal: attempt.signal });
        last = await sendOnce(request, number);
      }
      const { failures, response } = last;
      const details = [...(tries > 1 ? [`${tries} attempts`] : []), ...(response ? [timesText(response)] : [])];
      await report.ended(request, number, last, startedAt, Math.round(performance.now() - begin), details);
      return failures.length === 0 ? undefined : report.whyFailed(request, number, last, tries);
    },
    async skip(requests) {
      for (const request of requests) await report.skipped(request);
    },
    close: () => session.client.close(),
  };
}

/** undici rethrows the connector's error, or sets it as the cause. */
function networkRefusal(error: unknown): NetworkRefusedError | undefined {
  if (error instanceof NetworkRefusedError) return error;
  const { cause } = error as Error;
  return cause instanceof NetworkRefusedError ? cause : undefined;
}
