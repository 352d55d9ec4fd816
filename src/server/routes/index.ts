import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../context.js';
import { apiRoutes } from './api/index.js';
import { assetRoute } from './asset.js';
import { invitationFormRoute, invitationPageRoute } from './invitation-page.js';
import { openIdCallbackRoute, openIdStartRoute } from './open-id.js';
import { pages } from './pages/index.js';
import { reportFileRoute } from './report-file.js';
import { signInFormRoute, signInPageRoute } from './sign-in-form.js';
import { signOutFormRoute } from './sign-out-form.js';
import { webhookOtherMethodsRoute, webhookRunRoute } from './webhook-run.js';

/** Every route of the server: the table of contents. */
export function routes(deps: RouteDeps): ServerRoute[] {
  return [
    webhookRunRoute('test', deps),
    webhookRunRoute('suite', deps),
    webhookOtherMethodsRoute('test'),
    webhookOtherMethodsRoute('suite'),
    signInPageRoute(deps),
    signInFormRoute(deps),
    signOutFormRoute(deps),
    openIdStartRoute(deps),
    openIdCallbackRoute(deps),
    invitationPageRoute(deps),
    invitationFormRoute(deps),
    ...pages(deps),
    reportFileRoute(deps),
    assetRoute(),
    ...apiRoutes(deps),
  ];
}
