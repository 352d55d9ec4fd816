import { setTimeout as sleep } from 'node:timers/promises';
import { CookieJar } from 'tough-cookie';
import type { HttpTest } from '../../../src/domain/definitions.js';
import type { HttpRequest } from '../../../src/domain/http-test.js';
import type { Json } from '../../../src/domain/json.js';
import { durationMs } from '../../../src/domain/project-file-duration.js';
import { VariableMissingError } from '../../fill-in.js';
import { NetworkRefusedError, type NetworkGuard } from '../../network/guard.js';
import { createSecretMask, type SecretMask } from '../../run-log/masker.js';
import type { Attempt } from '../runner.js';
import type { AnswerChecker } from './answer-checker.js';
import { BadRequestError } from './bad-request.js';
import { checkAnswer, type CheckResult, type Failure } from './check-answer.js';
import { createClient, type Answer } from './client.js';
import { beginningOf, cut, exchangeText, timesText } from './exchange-text.js';
import { readBelow } from './files.js';
import { outgoing, shownAddress } from './request.js';
import { cookiesOf, sendRequest, type Exchange, type Session } from './send.js';
import { troubleText } from './trouble.js';
import { asText, fillExpectations, type Values } from './values.js';

const DEFAULT_TIMEOUT = '30s';
const DEFAULT_PAUSE = '1s';
/** Of what is there instead of what was expected, in characters. */
const SHOWN_ACTUAL = 200;

/** One try of a request. */
interface Try {
  /** What a person is told; empty: all that was expected holds. */
  failures: string[];
  answer?: Answer;
}

/** Runs the requests of one attempt, which share connections, cookies and captured values. */
export interface RequestRunner {
  /**
   * Sends a request, as often as it is told to; writes its exchanges to the log, and its step.
   * @returns why it failed; undefined: it did not
   * @throws VariableMissingError, NetworkRefusedError; anything when the attempt's signal is aborted
   */
  run(request: HttpRequest, number: number): Promise<string | undefined>;
  /** Notes requests that are not sent any more. */
  skip(requests: readonly HttpRequest[]): Promise<void>;
  close(): Promise<void>;
}

export function createRequestRunner(
  { guard, checker }: { guard: NetworkGuard; checker: AnswerChecker },
  test: HttpTest,
  attempt: Attempt,
): RequestRunner {
  const session: Session = {
    client: createClient(guard, test),
    jar: test.cookies === 'none' ? undefined : new CookieJar(),
  };
  const captured = new Map<string, Json>();
  const values: Values = { variables: attempt.variables, captured };
  const secrets: string[] = [];
  let ownMask: SecretMask | undefined;
  const hide = (text: string) => ownMask?.text(text) ?? text;
  const mask = (text: string) => hide(attempt.mask(text));

  async function tryOnce(request: HttpRequest, number: number): Promise<Try> {
    const exchanges: Exchange[] = [];
    const timeoutMs = durationMs(request.timeout ?? DEFAULT_TIMEOUT)!;
    const timeout = AbortSignal.timeout(timeoutMs);
    let host = 'it';
    let isAnswered = false;
    try {
      const first = await outgoing(test, request, values, attempt.folder);
      host = first.url.host;
      const begin = performance.now();
      const signal = AbortSignal.any([attempt.signal, timeout]);
      const answer = await sendRequest(session, first, request.redirects ?? 'follow', exchanges, signal);
      isAnswered = true;
      const { failures, captured: found } = await check(request, answer, exchanges, performance.now() - begin);
      keep(request, found);
      await writeExchanges(exchanges);
      return { failures: failures.map(failureText), answer };
    } catch (error) {
      attempt.signal.throwIfAborted();
      await writeExchanges(exchanges);
      const refused = networkRefusal(error);
      if (refused || error instanceof VariableMissingError) {
        await writeStep(request, number, { failures: [(refused ?? (error as Error)).message] }, new Date(), 0, []);
        throw refused ?? error;
      }
      if (error instanceof BadRequestError) return { failures: [error.message] };
      if (isAnswered || exchanges.length === 0) throw error;
      return {
        failures: [
          troubleText(
            error as Error,
            exchanges.at(-1)?.request.url.host ?? host,
            timeout.aborted ? timeoutMs : undefined,
          ),
        ],
      };
    }
  }

  async function check(
    { expect = {}, capture = {} }: HttpRequest,
    { status, headers, body }: Answer,
    exchanges: Exchange[],
    totalMs: number,
  ): Promise<CheckResult> {
    const { schemaFile, time, ...filled } = fillExpectations(expect, values);
    const task = {
      answer: { status, headers, body, cookies: cookiesOf(exchanges, session.jar), totalMs },
      expect: schemaFile === undefined ? filled : { ...filled, schema: await schemaIn(schemaFile) },
      ...(time && { belowMs: durationMs(time.below)! }),
      capture,
    };
    // Only what a test writes itself can take long.
    const needsThread = ['headers', 'json', 'schema', 'text'].some((field) => field in task.expect);
    return needsThread || Object.keys(capture).length > 0 ? checker.check(task, attempt.signal) : checkAnswer(task);
  }

  async function schemaIn(path: string): Promise<{ [keyword: string]: Json }> {
    try {
      return JSON.parse((await readBelow(attempt.folder, path)).toString()) as { [keyword: string]: Json };
    } catch (error) {
      if (error instanceof SyntaxError) throw new BadRequestError(`the schema in ${path} is no JSON`);
      throw error;
    }
  }

  function keep({ capture = {} }: HttpRequest, found: Record<string, Json>): void {
    for (const [name, value] of Object.entries(found)) {
      captured.set(name, value);
      if (capture[name]?.secret) secrets.push(asText(value));
    }
    if (secrets.length > 0) ownMask = createSecretMask(secrets);
  }

  const failureText = ({ text, actual }: Failure) =>
    actual === undefined ? text : `${text} ${shortened(mask(actual))}`;

  async function writeExchanges(exchanges: readonly Exchange[]): Promise<void> {
    for (const exchange of exchanges) await attempt.log.write('stdout', `${exchangeText(exchange, mask)}\n`);
  }

  async function writeStep(
    request: HttpRequest,
    number: number,
    { failures, answer }: Try,
    startedAt: Date,
    durationMs: number,
    details: string[],
  ): Promise<void> {
    const outcome = answer ? ` → ${answer.status} in ${Math.round(answer.totalMs)} ms` : '';
    const message = hide(failures.join('\n'));
    await attempt.steps.write({
      depth: 0,
      title: hide(`${titleOf(request, values)}${outcome}`),
      status: failures.length > 0 ? 'failed' : 'passed',
      startedAt,
      durationMs,
      ...(message && { message }),
      ...(details.length > 0 && { details }),
    });
    if (message) await attempt.log.write('stderr', `Request ${number} failed: ${message}\n`);
  }

  return {
    async run(request, number) {
      const { times = 1, every = DEFAULT_PAUSE } = request.retry ?? {};
      const startedAt = new Date();
      const begin = performance.now();
      let last = await tryOnce(request, number);
      let tries = 1;
      for (; last.failures.length > 0 && tries < times; tries++) {
        await attempt.log.write('system', `Try ${tries} of ${times}: ${hide(last.failures[0]!)}\n`);
        await sleep(durationMs(every)!, undefined, { signal: attempt.signal });
        last = await tryOnce(request, number);
      }
      const { failures, answer } = last;
      const details = [...(tries > 1 ? [`${tries} tries`] : []), ...(answer ? [timesText(answer)] : [])];
      await writeStep(request, number, last, startedAt, Math.round(performance.now() - begin), details);
      if (failures.length === 0) return undefined;
      const beginning = answer && beginningOf(answer, SHOWN_ACTUAL, mask);
      const ending = beginning ? `\nThe answer began: ${beginning}` : '';
      const afterTries = tries > 1 ? ` after ${tries} tries` : '';
      return hide(`Request ${number}, ${titleOf(request, values)}${afterTries}: ${failures.join('\n')}${ending}`);
    },
    async skip(requests) {
      for (const request of requests)
        await attempt.steps.write({
          depth: 0,
          title: `${request.name ? `${request.name}: ` : ''}${request.method ?? 'GET'} ${request.url}`,
          status: 'skipped',
          startedAt: new Date(),
          durationMs: 0,
        });
    },
    close: () => session.client.close(),
  };
}

/** `Create an order: POST /orders` */
function titleOf(request: HttpRequest, values: Values): string {
  let address = request.url;
  try {
    address = shownAddress(request, values);
  } catch (error) {
    // It names a variable that is not there, which is told already.
    if (!(error instanceof VariableMissingError)) throw error;
  }
  return `${request.name ? `${request.name}: ` : ''}${request.method ?? 'GET'} ${address}`;
}

function shortened(text: string): string {
  const shown = cut(text, SHOWN_ACTUAL);
  return shown.length < text.length ? `${shown}…` : shown;
}

/** undici hands on what its connector threw, or has it as a cause. */
function networkRefusal(error: unknown): NetworkRefusedError | undefined {
  if (error instanceof NetworkRefusedError) return error;
  const { cause } = error as Error;
  return cause instanceof NetworkRefusedError ? cause : undefined;
}
