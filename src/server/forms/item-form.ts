import type { Request, ServerRoute } from '@hapi/hapi';
import type { VNode } from 'preact';
import type { ProjectItem } from '#src/domain/records.js';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import { ID_PARAMS, ofItem } from '#src/server/pages/item-access.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import type { PageRoute } from '#src/server/pages/page-route.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import type { ItemService, NewItem } from '#src/services/targets/item-service.js';
import type { FormValues } from '#src/web/components/form/form.js';
import type { ItemFormProps } from '#src/web/components/form/item-form-page.js';
import { formPages } from './form-pages.js';
import type { SubmittedForm } from './submitted-form.js';

/** The form of tests, suites or schedules. */
export interface ItemForm<Definition extends object> {
  kind: ProjectItemKind;
  service: ItemService<Definition>;
  maxBytes?: number;
  /** Of the page of a new item. */
  query?: PageRoute<ProjectParams>['query'];
  /** What the form of a new item contains. */
  newValues(request: Request<ProjectParams>): Promise<FormValues> | FormValues;
  /** What the form of an existing item contains. */
  valuesOf(item: ProjectItem<Definition>): Promise<FormValues> | FormValues;
  /** What a form asks for. @throws InvalidInputError */
  read(
    form: SubmittedForm,
    projectId: string,
    existing?: ProjectItem<Definition>,
  ): Promise<NewItem<Definition>> | NewItem<Definition>;
  show(props: ItemFormProps): Promise<VNode> | VNode;
  /** Notices, by the name of the item. */
  created(name: string): string;
  saved(name: string): string;
}

/** GET and POST of /projects/{id}/tests/new and /tests/{id}/edit, or of suites or schedules. */
export function itemFormPages<Definition extends object>(deps: RouteDeps, item: ItemForm<Definition>): ServerRoute[] {
  const { kind, service, maxBytes, query, newValues, valuesOf, read, show, created, saved } = item;
  return [
    ...formPages<ProjectParams>({
      path: `/projects/{projectId}/${kind}s/new`,
      access: inProject('definitions.edit'),
      maxBytes,
      query,
      values: newValues,
      show: async (request, page, form) => show({ page, form, project: await openedProject(deps, request) }),
      async submit(request, form) {
        if (form.text('step')) return form;
        const { projectId } = request.params;
        const input = await read(form, projectId);
        const { document } = await service.create(callerOf(request), projectId, input, undefined);
        return { goTo: `/${kind}s/${document._id}`, notice: created(document.name) };
      },
    }),
    ...formPages<{ Params: Record<string, string> }, ProjectItem<Definition>>({
      path: `/${kind}s/{${ID_PARAMS[kind]}}/edit`,
      access: ofItem(kind, 'definitions.edit', deps),
      maxBytes,
      load: ({ params }) => service.get(params[ID_PARAMS[kind]]!.toLowerCase()),
      values: (_request, existing) => valuesOf(existing),
      async show(request, page, form, { _id: id, name }) {
        return show({ page, form, project: await openedProject(deps, request), edited: { id, name } });
      },
      async submit(request, form, _page, existing) {
        if (form.text('step')) return form;
        const { _id: id, projectId, definition } = existing;
        const input = await read(form, projectId, existing);
        const changes = { ...emptied(definition, input), ...input };
        const { name } = await service.edit(callerOf(request), id, form.revision(), changes);
        return { goTo: `/${kind}s/${id}`, notice: saved(name) };
      },
    }),
  ];
}

/** Null, which removes a field, for those that the form leaves empty. */
function emptied(existing: object, input: object): Record<string, null> {
  const names = Object.keys(existing).filter((name) => !(name in input));
  return Object.fromEntries(names.map((name) => [name, null]));
}
