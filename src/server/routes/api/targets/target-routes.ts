import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import type { ProjectItem } from '#src/domain/records.js';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { ItemChanges, ItemService, NewItem } from '#src/services/targets/item-service.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute, type ApiAnswer } from '#src/server/api/api-route.js';
import { etagOf, expectedRevision } from '#src/server/api/etag.js';
import { idempotencyKeyOf } from '#src/server/api/idempotency.js';
import { listAnswer, pageRequestOf } from '#src/server/api/paging.js';
import { listOf, paging, projectParams, uuid } from '#src/server/api/shapes.js';
import { conflict, ETAG, search } from './target-shapes.js';

/** What differs between the routes of tests, suites and schedules. */
interface ItemRoutes<Definition extends object> {
  kind: ProjectItemKind;
  /** The section that lists them. */
  tag: string;
  service: ItemService<Definition>;
  shape: Joi.ObjectSchema;
  show(item: ProjectItem<Definition>): object;
  example: object;
  newBody: Joi.ObjectSchema;
  newExample: object;
  changesBody: Joi.ObjectSchema;
  changesExample: object;
  /** Descriptions of an update and of a deletion. */
  whenChanged: string;
  whenRemoved: string;
}

interface ListQuery {
  limit: number;
  cursor?: string;
  search?: string;
  archived: boolean;
}

/** The five routes of tests, suites or schedules: list, create, retrieve, update, and archive or delete. */
export function itemRoutes<Definition extends object>(
  { owners, publicUrl }: RouteDeps,
  about: ItemRoutes<Definition>,
): ServerRoute[] {
  const { kind, tag, service, show } = about;
  const [verb, archived] = kind === 'schedule' ? ['Delete', 'deleted'] : ['Archive', 'archived'];
  const idParam = `${kind}Id`;
  const ofProject = `/projects/{projectId}/${kind}s/` as const;
  const ofOne = `/${kind}s/{${idParam}}/` as const;
  const params = Joi.object({ [idParam]: uuid.required() });
  const project = ({ params }: { params: Record<string, string> }) => owners(kind, params[idParam]);
  const inProject = ({ params }: { params: Record<string, string> }) => params.projectId;
  const inUse: Record<number, ApiAnswer> =
    kind === 'test' ? { 409: conflict('`in_use`: suites contain this test; the message names them.') } : {};
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
        archived: Joi.boolean().default(false).description(`List ${archived} ${kind}s instead.`),
      }),
      summary: `List ${kind}s`,
      description: `The ${kind}s of a project, sorted by name.`,
      tag,
      answers: { 200: { description: `A page of ${kind}s.`, schema: listOf(about.shape) } },
      async handler(request) {
        const { params, query } = request;
        const { search, archived } = query;
        const filter = {
          projectId: params.projectId,
          isArchived: archived,
          search,
        };
        return listAnswer(request, publicUrl, await service.list(filter, pageRequestOf(query)), show);
      },
    }),

    apiRoute<{ Params: { projectId: string }; Payload: NewItem<Definition> }>({
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
        200: { description: `The ${kind} previously created with this Idempotency-Key.`, ...shown },
        409: conflict(`\`name_taken\`: the project already has a ${kind} with this name.`),
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
      summary: `Retrieve a ${kind}`,
      tag,
      answers: { 200: { description: `The ${kind}, even if it is ${archived}.`, ...shown } },
      async handler({ params }, h) {
        const target = await service.get(params[idParam]!);
        return h.response(show(target)).header('etag', etagOf(target.revision));
      },
    }),

    apiRoute<{ Params: Record<string, string>; Payload: ItemChanges<Definition> }>({
      method: 'PATCH',
      path: ofOne,
      access: { right: 'definitions.edit', project },
      params,
      body: about.changesBody.required(),
      bodyExample: about.changesExample,
      summary: `Update a ${kind}`,
      description: about.whenChanged,
      tag,
      ifMatch: true,
      answers: {
        200: { description: `The updated ${kind}.`, ...shown },
        409: conflict(
          `\`name_taken\`: the project already has a ${kind} with this name. \`archived\`: the ${kind} is ${archived}.`,
        ),
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
      summary: `${verb} a ${kind}`,
      description: about.whenRemoved,
      tag,
      ifMatch: true,
      answers: {
        204: { description: `The ${kind} is ${archived}.` },
        ...inUse,
      },
      async handler(request, h) {
        await service.archive(callerOf(request), request.params[idParam]!, expectedRevision(request));
        return h.response().code(204);
      },
    }),
  ];
}
