import Joi from 'joi';
import { SCOPES } from '../../../domain/rights.js';
import { principalOf } from '../../access.js';
import { apiRoute } from '../../api/api-route.js';
import { uuid } from '../../api/shapes.js';

const me = Joi.object({
  type: Joi.string().valid('person', 'project').required(),
  userId: uuid.allow(null).required(),
  projectId: uuid.allow(null).required(),
  name: Joi.string().required().description('E-mail of a person, or the name of a project’s token.'),
  isAdmin: Joi.boolean().required(),
  scopes: Joi.array()
    .items(Joi.string().valid(...SCOPES))
    .required(),
  csrfToken: Joi.string().allow(null).required().description('Of a session: send it as X-CSRF-Token.'),
});

/** GET /api/v2/me/: who the caller is. */
export function meRoute() {
  return apiRoute({
    method: 'GET',
    path: '/me/',
    access: { right: 'self.read' },
    summary: 'Who am I?',
    tag: 'Account',
    answers: { 200: { description: 'Whoever the token or the session belongs to.', schema: me } },
    handler(request) {
      const { userId, projectId, name, isAdmin, scopes } = principalOf(request);
      return {
        type: userId === undefined ? 'project' : 'person',
        userId: userId ?? null,
        projectId: projectId ?? null,
        name,
        isAdmin,
        scopes,
        csrfToken: request.app.csrfToken ?? null,
      };
    },
  });
}
