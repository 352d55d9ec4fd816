import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import type { NewSuite, NewTest, SuiteChanges, TestChanges } from '../../../../domain/definition-schemas.js';
import type { NewSchedule, ScheduleChanges } from '../../../../domain/schedule-fields.js';
import type { Target, TargetService } from '../../../../services/definitions/targets.js';
import type { RouteDeps } from '../../../context.js';
import { callerOf } from '../../../access.js';
import { apiRoute, type ApiAnswer } from '../../../api/api-route.js';
import { etagOf, expectedRevision } from '../../../api/etag.js';
import { idempotencyKeyOf } from '../../../api/idempotency.js';
import { listAnswer, pageRequestOf } from '../../../api/paging.js';
import { listOf, paging, projectParams, uuid } from '../../../api/shapes.js';
import { conflict, ETAG, search } from './shapes.js';

/** What tells the routes of tests from those of suites and of schedules. */
export interface TargetKind {
  kind: 'test' | 'suite' | 'schedule';
  /** The heading under which they stand. */
  tag: string;
  service: TargetService;
  shape: Joi.ObjectSchema;
  show(target: Target): object;
  example: object;
  newBody: Joi.ObjectSchema;
  newExample: object;
  changesBody: Joi.ObjectSchema;
  changesExample: object;
  /** What else is to be said of a change, and of a removal. */
  whenChanged: string;
  whenRemoved: string;
}

interface ListQuery {
  limit: number;
  cursor?: string;
  search?: string;
  archived: boolean;
}

/** The five routes of tests, of suites, or of schedules: list and create in a project, show, change and archive one. */
export function targetRoutes({ owners, publicUrl }: RouteDeps, about: TargetKind): ServerRoute[] {
  const { kind, tag, service, show } = about;
  const idParam = `${kind}Id`;
  const ofProject = `/projects/{projectId}/${kind}s/` as const;
  const ofOne = `/${kind}s/{${idParam}}/` as const;
  const params = Joi.object({ [idParam]: uuid.required() });
  const project = ({ params }: { params: Record<string, string> }) => owners(kind, params[idParam]);
  const inProject = ({ params }: { params: Record<string, string> }) => params.projectId;
  const inUse: Record<number, ApiAnswer> =
    kind === 'test' ? { 409: conflict('`in_use`: suites run it; the message names them.') } : {};
  const shown = { schema: about.shape, example: about.example, headers: ETAG };

  return [
    apiRoute<{ Params: { projectId: string }; Query: ListQuery }>({
      method: 'GET',
      path: ofProject,
      access: { right: 'definitions.read', project: inProject },
      params: projectParams,
      query: Joi.object({
        ...paging,
        search,
        archived: Joi.boolean().default(false).description('Those that were removed, in place of the others.'),
      }),
      summary: `List ${kind}s`,
      description: `A project’s ${kind}s, by name.`,
      tag,
      answers: { 200: { description: `A page of ${kind}s.`, schema: listOf(about.shape) } },
      async handler(request) {
        const { params, query } = request;
        const { search, archived } = query;
        const filter = {
          projectId: params.projectId,
          isArchived: archived,
          ...(search === undefined ? {} : { search }),
        };
        return listAnswer(request, publicUrl, await service.list(filter, pageRequestOf(query)), show);
      },
    }),

    apiRoute<{ Params: { projectId: string }; Payload: NewTest | NewSuite | NewSchedule }>({
      method: 'POST',
      path: ofProject,
      access: { right: 'definitions.edit', project: inProject },
      params: projectParams,
      body: about.newBody.required(),
      bodyExample: about.newExample,
      summary: `Create a ${kind}`,
      tag,
      idempotent: true,
      answers: {
        201: { description: `The new ${kind}.`, ...shown },
        200: { description: `The ${kind} that this Idempotency-Key has made before.`, ...shown },
        409: conflict(`\`name_taken\`: the project has a ${kind} of this name.`),
      },
      async handler(request, h) {
        const { params, payload } = request;
        const key = idempotencyKeyOf(request);
        const { document, isNew } = await service.create(callerOf(request), params.projectId, payload, key);
        return h
          .response(show(document))
          .code(isNew ? 201 : 200)
          .header('etag', etagOf(document.revision));
      },
    }),

    apiRoute<{ Params: Record<string, string> }>({
      method: 'GET',
      path: ofOne,
      access: { right: 'definitions.read', project },
      params,
      summary: `Show a ${kind}`,
      tag,
      answers: { 200: { description: `The ${kind}, also one that was removed.`, ...shown } },
      async handler({ params }, h) {
        const target = await service.get(params[idParam]!);
        return h.response(show(target)).header('etag', etagOf(target.revision));
      },
    }),

    apiRoute<{ Params: Record<string, string>; Payload: TestChanges | SuiteChanges | ScheduleChanges }>({
      method: 'PATCH',
      path: ofOne,
      access: { right: 'definitions.edit', project },
      params,
      body: about.changesBody.required(),
      bodyExample: about.changesExample,
      summary: `Change a ${kind}`,
      description: about.whenChanged,
      tag,
      ifMatch: true,
      answers: {
        200: { description: `The ${kind} as it is now.`, ...shown },
        409: conflict(`\`name_taken\`: the project has a ${kind} of this name. \`archived\`: it was removed.`),
      },
      async handler(request, h) {
        const { params, payload } = request;
        const expected = expectedRevision(request);
        const target = await service.edit(callerOf(request), params[idParam]!, expected, payload);
        return h.response(show(target)).header('etag', etagOf(target.revision));
      },
    }),

    apiRoute<{ Params: Record<string, string> }>({
      method: 'DELETE',
      path: ofOne,
      access: { right: 'definitions.edit', project },
      params,
      summary: `Remove a ${kind}`,
      description: about.whenRemoved,
      tag,
      ifMatch: true,
      answers: {
        204: { description: 'It is removed.' },
        ...inUse,
      },
      async handler(request, h) {
        await service.archive(callerOf(request), request.params[idParam]!, expectedRevision(request));
        return h.response().code(204);
      },
    }),
  ];
}
