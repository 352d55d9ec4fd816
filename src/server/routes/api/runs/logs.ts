import Joi from 'joi';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { FOLLOW_MS } from '#src/services/runs/follow-log.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { moment } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { ofRun, runParams, TAG, type RunParams } from './kinds.js';

const cursor = Joi.string().pattern(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/);

const log = Joi.object({
  results: Joi.array()
    .items(
      Joi.object({
        cursor: cursor.required(),
        at: moment.required(),
        attempt: Joi.number().integer().required(),
        stream: Joi.string().valid('stdout', 'stderr', 'system').required(),
        text: Joi.string().allow('').required(),
      }),
    )
    .required(),
  next: cursor.allow(null).required().description('The `after` of the next request; null if there are no lines yet.'),
  ended: Joi.boolean().required().description('The run has ended, and these are its last lines.'),
});

interface Query {
  after?: string;
  follow: boolean;
  limit: number;
}

/** GET /testruns/{runId}/logs/: lines of the log, optionally waiting for new ones. */
export function logsRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: Query }>({
    method: 'GET',
    path: '/testruns/{runId}/logs/',
    access: ofRun('test', 'runs.read', deps),
    summary: 'Read the log of a test run',
    description:
      'With `follow`, the request waits up to 20 seconds for new lines or the end of the run. Repeat it with `after` set to `next` until `ended` is true.',
    tag: TAG,
    answerMs: FOLLOW_MS + 5000,
    params: runParams,
    query: Joi.object({
      after: cursor.description('Return the lines after this cursor.'),
      follow: Joi.boolean().default(false),
      limit: Joi.number().integer().min(1).max(1000).default(500),
    }),
    answers: { 200: { description: 'Log lines, in order.', schema: log } },
    async handler(request) {
      const { after, follow, limit } = request.query;
      const disconnected = new AbortController();
      request.events.once('disconnect', () => disconnected.abort());
      const logRequest = { runId: request.params.runId, after: placeOf(after), limit, follow };
      const { lines, ended } = await deps.runs.log(logRequest, disconnected.signal);
      return showLogPage(lines, after, ended);
    },
  });
}

export function showLogPage(lines: readonly LogLine[], after: string | undefined, ended: boolean) {
  const results = lines.map((line) => ({
    cursor: cursorOf(line),
    at: line.at.toISOString(),
    attempt: line.attempt,
    stream: line.stream,
    text: line.text,
  }));
  return { results, next: results.at(-1)?.cursor ?? after ?? null, ended };
}

function cursorOf({ attempt, delivery, seq }: LogLine): string {
  return `${attempt}.${delivery}.${seq}`;
}

function placeOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const [attempt, delivery, seq] = text.split('.').map(Number) as [number, number, number];
  return { attempt, delivery, seq };
}
