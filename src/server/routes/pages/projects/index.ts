import type { ServerRoute } from '@hapi/hapi';
import type { RouteDeps } from '../../../context.js';
import { homeRoute } from './home.js';
import { importRoutes } from './import.js';
import { newProjectRoutes } from './new.js';
import { projectRoute } from './project.js';

/** Projects: the home page, making one, importing its file. */
export function projectPages(deps: RouteDeps): ServerRoute[] {
  return [homeRoute(deps), ...newProjectRoutes(deps), ...importRoutes(deps), projectRoute()];
}
