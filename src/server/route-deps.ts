import type { ReqRefDefaults, ServerRoute } from '@hapi/hapi';
import type { Clock } from '#src/domain/clock.js';
import type { AccessControl } from '#src/services/access/access-control.js';
import type { CredentialThrottle } from '#src/services/limits/credential-throttle.js';
import type { RunTrigger } from '#src/services/trigger/trigger-run.js';
import type { DefinitionServices } from '#src/services/targets/definition-services.js';
import type { InstanceServices } from '#src/services/instance/instance-services.js';
import type { PeopleServices } from '#src/services/people/people-services.js';
import type { ProjectFinder } from '#src/services/access/project-finder.js';
import type { RunServices } from '#src/services/runs/run-services.js';
import type { PoolServices } from '#src/services/pools/pool-services.js';
import type { TokenServices } from '#src/services/tokens/token-services.js';
import type { LiveStreams } from './live/live-streams.js';
import type { StatsServices } from '#src/services/stats/stats-services.js';
import type { RunReader } from '#src/services/runs/run-reader.js';

/** Dependencies of routes. */
export interface RouteDeps {
  /** Version of Runhook, for the OpenAPI document. */
  version: string;
  /** The database's clock, for ages and durations on pages. */
  clock: Clock;
  owners: ProjectFinder;
  people: PeopleServices;
  tokens: TokenServices;
  pools: PoolServices;
  definitions: DefinitionServices;
  runs: RunServices;
  stats: StatsServices;
  trigger: RunTrigger;
  refusals: CredentialThrottle;
  reader: RunReader;
  instance: InstanceServices;
  /** Event streams of live pages. */
  streams: LiveStreams;
  /** Base of `webapp_url`, without a trailing slash. */
  publicUrl: string;
  /** The projects that a caller may read; undefined: all. */
  visibleProjects: AccessControl['visibleProjects'];
  /** How long an unused session stays open, in ms. */
  sessionMs: number;
  /** For links to the Temporal UI; undefined: no links. */
  temporalUi?: { url: string; namespace: string };
}

/** Types a route for hapi's table, because ServerRoute<Refs> is not assignable to ServerRoute. */
export function defineRoute<Refs extends object>(route: ServerRoute<ReqRefDefaults & Refs>): ServerRoute {
  return route as unknown as ServerRoute;
}
