import Joi from 'joi';
import type { User } from '../../../domain/people.js';
import { SCOPES, type Principal } from '../../../domain/rights.js';
import { principalOf } from '../../access.js';
import { apiRoute } from '../../api/api-route.js';
import { uuid } from '../../api/shapes.js';
import type { RouteDeps } from '../../context.js';

/** Who somebody is, as he sees it himself. */
export const me = Joi.object({
  type: Joi.string().valid('person', 'project').required(),
  userId: uuid.allow(null).required(),
  projectId: uuid.allow(null).required(),
  email: Joi.string().allow(null).required().description('Of a person.'),
  name: Joi.string().required().description('Of a person, the e-mail where he gave none; or of a project’s token.'),
  isAdmin: Joi.boolean().required(),
  scopes: Joi.array()
    .items(Joi.string().valid(...SCOPES))
    .required(),
  csrfToken: Joi.string().allow(null).required().description('Of a session: send it as X-CSRF-Token.'),
});

/** @param user none, of a project's token */
export function showMe(principal: Principal, user: User | undefined, csrfToken: string | undefined) {
  const { userId, projectId, name, isAdmin, scopes } = principal;
  return {
    type: userId === undefined ? 'project' : 'person',
    userId: userId ?? null,
    projectId: projectId ?? null,
    email: user?.email ?? null,
    name: user?.name || name,
    isAdmin,
    scopes,
    csrfToken: csrfToken ?? null,
  };
}

/** GET /api/v2/me/: who the caller is. */
export function meRoute({ people }: Pick<RouteDeps, 'people'>) {
  return apiRoute({
    method: 'GET',
    path: '/me/',
    access: { right: 'self.read' },
    summary: 'Who am I?',
    tag: 'Account',
    answers: { 200: { description: 'Whoever the token or the session belongs to.', schema: me } },
    async handler(request) {
      const principal = principalOf(request);
      return showMe(principal, await people.account.find(principal), request.app.csrfToken);
    },
  });
}
