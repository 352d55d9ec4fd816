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

/** What routes call. */
export interface RouteDeps {
  /** Of the program, for the API's description. */
  version: string;
  /** The database's: ages and lengths of times on pages are by it. */
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
  /** What live pages listen to. */
  streams: LiveStreams;
  /** Base of `webapp_url`. No slash at the end. */
  publicUrl: string;
  /** The projects whose things a caller may see; undefined: all. */
  visibleProjects: AccessControl['visibleProjects'];
  /** How long an unused session stays open, in ms. */
  sessionMs: number;
  /** For links into the Temporal UI; none, no links. */
  temporalUi?: { url: string; namespace: string };
}

/** A typed route as hapi's own table takes it: ServerRoute<Refs> is not assignable to ServerRoute. */
export function defineRoute<Refs extends object>(route: ServerRoute<ReqRefDefaults & Refs>): ServerRoute {
  return route as unknown as ServerRoute;
}
