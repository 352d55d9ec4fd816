import type { ReqRefDefaults, ServerRoute } from '@hapi/hapi';
import type { Clock } from '../domain/clock.js';
import type { AccessControl } from '../services/access.js';
import type { RefusalGuard } from '../services/limits/refusal-guard.js';
import type { RunTrigger } from '../services/trigger-run.js';
import type { DefinitionServices } from '../services/definitions.js';
import type { InstanceServices } from '../services/instance.js';
import type { PeopleServices } from '../services/people.js';
import type { ProjectFinder } from '../services/project-finder.js';
import type { RunServices } from '../services/runs.js';
import type { PoolServices } from '../services/pools.js';
import type { TokenServices } from '../services/tokens.js';
import type { LiveStreams } from './live/live-streams.js';
import type { StatsServices } from '../services/stats.js';
import type { RunReader } from '../services/read-runs.js';

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
  refusals: RefusalGuard;
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
