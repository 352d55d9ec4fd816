import Joi from 'joi';
import type { LogLine } from '../../../../domain/log-line.js';
import { FOLLOW_MS } from '../../../../services/runs/follow-log.js';
import { apiRoute } from '../../../api/api-route.js';
import { moment } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
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
  next: cursor.allow(null).required().description('`after` of the next call; null while there is no line.'),
  ended: Joi.boolean().required().description('The run is over, and there is no line behind these.'),
});

interface Query {
  after?: string;
  follow: boolean;
  limit: number;
}

/** GET /testruns/{runId}/logs/: lines of its log, and what comes next while it runs. */
export function logsRoute(deps: RouteDeps) {
  return apiRoute<RunParams & { Query: Query }>({
    method: 'GET',
    path: '/testruns/{runId}/logs/',
    access: ofRun('test', 'runs.read', deps),
    summary: 'The log of a test run',
    description:
      'With `follow` the answer waits up to 20 s until there is something new or the run is over. Call again with `after` = `next` until `ended`.',
    tag: TAG,
    answerMs: FOLLOW_MS + 5000,
    params: runParams,
    query: Joi.object({
      after: cursor.description('Lines behind this one.'),
      follow: Joi.boolean().default(false),
      limit: Joi.number().integer().min(1).max(1000).default(500),
    }),
    answers: { 200: { description: 'Lines, in order.', schema: log } },
    async handler(request) {
      const { after, follow, limit } = request.query;
      const gone = new AbortController();
      request.events.once('disconnect', () => gone.abort());
      const wanted = { runId: request.params.runId, after: placeOf(after), limit, follow };
      const { lines, ended } = await deps.runs.log(wanted, gone.signal);
      const results = lines.map((line) => ({
        cursor: cursorOf(line),
        at: line.at.toISOString(),
        attempt: line.attempt,
        stream: line.stream,
        text: line.text,
      }));
      return { results, next: results.at(-1)?.cursor ?? after ?? null, ended };
    },
  });
}

function cursorOf({ attempt, delivery, seq }: LogLine): string {
  return `${attempt}.${delivery}.${seq}`;
}

function placeOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const [attempt, delivery, seq] = text.split('.').map(Number) as [number, number, number];
  return { attempt, delivery, seq };
}
