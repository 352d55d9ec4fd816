import type { Request, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '../../../../domain/errors.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import type { FormProblem } from '../../../../web/components/form.js';
import type { PageContext, Viewer } from '../../../../web/layout/viewer.js';
import { ConfirmRemoveProfile } from '../../../../web/pages/settings/confirm-remove-profile.js';
import { ProfilePage, type ProfileFields } from '../../../../web/pages/settings/profile-page.js';
import { callerOf, inProject, principalOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { confirmRoutes } from '../../../pages/confirm-routes.js';
import { formRoute, type FormRoute } from '../../../pages/form-route.js';
import { revisionAgain, revisionOf } from '../../../pages/form-revision.js';
import { pageRoute } from '../../../pages/page-route.js';
import { afterStep, EMPTY_ROW, fieldsOf, typedProfile, wantedProfile } from '../../../pages/profile-form.js';
import { openedProject, type ProjectParams } from '../../../pages/opened-project.js';
import { SETTINGS } from './settings.js';

export interface ProfileParams {
  Params: { projectId: string; profileId: string };
}

/** As many values of full length as a form reasonably has. */
const MAX_BYTES = 2 * 1024 * 1024;
const path = `${SETTINGS}/variables` as const;

/** The profile of an address, of the project in it. @throws NotFoundError */
export async function profileOf({ runs }: Pick<RouteDeps, 'runs'>, { projectId, profileId }: ProfileParams['Params']) {
  const profile = await runs.profiles.find(profileId);
  if (profile.projectId !== projectId) throw new NotFoundError(NOTHING_HERE);
  return profile;
}

/** One profile of variables: made, changed, removed. */
export function profileRoutes(deps: RouteDeps): ServerRoute[] {
  const { profiles } = deps.runs;
  const goTo = (projectId: string) => `/projects/${projectId}/settings/variables`;

  async function shown(
    request: Pick<Request, 'app'>,
    page: PageContext & { viewer: Viewer },
    fields: ProfileFields,
    more: { id?: string; problem?: FormProblem } = {},
  ) {
    const project = await openedProject(deps, request);
    return ProfilePage({ page, project, fields, ...more });
  }

  const makeForm: FormRoute<ProjectParams> = {
    path: `${path}/new`,
    access: inProject('variables.edit'),
    maxBytes: MAX_BYTES,
    async take(request, form, page) {
      const stepped = afterStep(form);
      if (stepped) return shown(request, page, stepped);
      const caller = { ...callerOf(request), principal: principalOf(request) };
      const { projectId } = request.params;
      const wanted = wantedProfile(typedProfile(form));
      await profiles.create(caller, projectId, wanted, undefined);
      return { goTo: goTo(projectId), notice: `The profile “${wanted.name}” is made.` };
    },
    again: (request, form, problem, page) => shown(request, page, typedProfile(form), { problem }),
  };

  const changeForm: FormRoute<ProfileParams> = {
    path: `${path}/{profileId}`,
    access: inProject('variables.edit'),
    maxBytes: MAX_BYTES,
    async take(request, form, page) {
      const { _id: id, projectId } = await profileOf(deps, request.params);
      const stepped = afterStep(form);
      if (stepped) return shown(request, page, stepped, { id });
      const typed = typedProfile(form);
      const wanted = wantedProfile(typed);
      await profiles.change(callerOf(request), id, revisionOf(form), wanted);
      return { goTo: goTo(projectId), notice: `The profile “${wanted.name}” is saved.` };
    },
    async again(request, form, problem, page) {
      const { _id: id, revision: current } = await profileOf(deps, request.params);
      const revision = revisionAgain(form, problem, current);
      return shown(request, page, { ...typedProfile(form), revision }, { id, problem });
    },
  };

  return [
    pageRoute<ProjectParams>({
      path: `${path}/new`,
      access: inProject('variables.edit'),
      show: (request, page) =>
        shown(request, page, { name: '', isDefault: false, variables: [EMPTY_ROW], revision: 0 }),
    }),
    formRoute(makeForm),
    pageRoute<ProfileParams>({
      path: `${path}/{profileId}`,
      access: inProject('variables.read'),
      async show(request, page) {
        const profile = await profileOf(deps, request.params);
        return shown(request, page, fieldsOf(profile), { id: profile._id });
      },
    }),
    formRoute(changeForm),
    ...confirmRoutes<ProfileParams>({
      path: `${path}/{profileId}/remove`,
      access: inProject('variables.edit'),
      async ask(request, page, problem) {
        const project = await openedProject(deps, request);
        const { _id: id, name, isDefault } = await profileOf(deps, request.params);
        return ConfirmRemoveProfile({ page, project, id, name, isDefault, problem });
      },
      async take(request) {
        const { _id, name, projectId } = await profileOf(deps, request.params);
        await profiles.remove(callerOf(request), _id, '*');
        return { goTo: goTo(projectId), notice: `The profile “${name}” is removed.` };
      },
    }),
  ];
}
