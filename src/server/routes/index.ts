import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '#src/server/route-deps.js';
import { apiRoutes } from './api/index.js';
import { assetRoute } from './asset.js';
import { docsRoutes } from '#src/web/docs/route.js';
import { invitationFormRoute, invitationPageRoute } from '#src/web/invitation/route.js';
import { openIdCallbackRoute, openIdStartRoute } from '#src/web/sign-in/open-id-route.js';
import { pages } from '#src/web/pages.js';
import { reportFileRoute } from './report-file.js';
import { signInFormRoute, signInPageRoute } from '#src/web/sign-in/route.js';
import { signOutFormRoute } from '#src/web/sign-in/sign-out-route.js';
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
    ...docsRoutes(),
    reportFileRoute(deps),
    assetRoute(),
    ...apiRoutes(deps),
  ];
}
