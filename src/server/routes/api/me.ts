import Joi from 'joi';
import type { User } from '#src/domain/people/people.js';
import { SCOPES, type Principal } from '#src/domain/people/rights.js';
import { principalOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { uuid } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';

/** The caller, as shown to themselves. */
export const me = Joi.object({
  type: Joi.string().valid('person', 'project').required(),
  userId: uuid.allow(null).required(),
  projectId: uuid.allow(null).required(),
  email: Joi.string().allow(null).required().description('Null for project API tokens.'),
  name: Joi.string()
    .required()
    .description(
      'The person’s name, or their email address if they have not set one; for project API tokens, the token’s name.',
    ),
  isAdmin: Joi.boolean().required(),
  scopes: Joi.array()
    .items(Joi.string().valid(...SCOPES))
    .required(),
  csrfToken: Joi.string().allow(null).required().description('Send it as X-CSRF-Token. Only for sessions.'),
});

/** @param user undefined for a project API token */
export function showMe(principal: Principal, user: User | undefined, csrfToken: string | undefined) {
  const { userId, projectId, name, isAdmin, scopes } = principal;
  return {
    type: userId === undefined ? ('project' as const) : ('person' as const),
    userId: userId ?? null,
    projectId: projectId ?? null,
    email: user?.email ?? null,
    name: user?.name || name,
    isAdmin,
    scopes,
    csrfToken: csrfToken ?? null,
  };
}

/** GET /api/v2/me/ */
export function meRoute({ people }: Pick<RouteDeps, 'people'>) {
  return apiRoute({
    method: 'GET',
    path: '/me/',
    access: { right: 'self.read' },
    summary: 'Retrieve the caller',
    tag: 'Account',
    answers: { 200: { description: 'The owner of the API token or session.', schema: me } },
    async handler(request) {
      const principal = principalOf(request);
      return showMe(principal, await people.account.find(principal), request.app.csrfToken);
    },
  });
}
