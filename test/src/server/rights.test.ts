import { readFile, writeFile } from 'node:fs/promises';
import type { RequestRoute } from '@hapi/hapi';
import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import {
  decideInInstance,
  decideInProject,
  INSTANCE_RIGHTS,
  type InstanceRight,
  type Principal,
  type ProjectRight,
} from '#src/domain/people/rights.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';
import { missing, paramsOf } from '#test/support/rights/requests.js';
import { rightsPage } from '#test/support/rights/table.js';
import {
  askFor,
  nameOf,
  outcomeOf,
  routesOf,
  seenOf,
  stopBeforeHandler,
  type Outcome,
} from '#test/support/rights/walk.js';
import { aWorld, CANARY, type Caller, type World } from '#test/support/rights/world.js';

const PAGE = new URL('../../../docs/rights.md', import.meta.url);

describe('access rights', () => {
  let real: RealServer;
  let world: World;
  let routes: RequestRoute[];

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
    stopBeforeHandler(real.server);
    world = await aWorld(await testDatabase());
    routes = routesOf(real.server);
  });
  after(() => real.close());

  const caller = (name: string): Caller => world.callers.find((one) => one.name === name)!;
  const isGuarded = ({ settings }: RequestRoute) => typeof settings.app?.access === 'object';

  /** The right in the table; undefined where a service checks it. */
  function expected(route: RequestRoute, { principal, role }: Caller): Outcome | undefined {
    const access = route.settings.app!.access!;
    if (typeof access === 'string') return 'opened';
    if ('askedBy' in access) return undefined;
    if (!principal) return 401;
    const who = { name: '', credentialId: '', ...principal } as Principal;
    const decision =
      access.right in INSTANCE_RIGHTS
        ? decideInInstance(who, access.right as InstanceRight)
        : decideInProject(who, access.right as ProjectRight, world.ids.projectId!, role);
    return { allowed: 'opened' as const, forbidden: 403, hidden: 404 }[decision];
  }

  it('match the table on every route, and docs/rights.md', async () => {
    const rows: { route: RequestRoute; outcomes: Outcome[] }[] = [];
    for (const route of routes) {
      const outcomes: Outcome[] = [];
      for (const one of world.callers) {
        const outcome = outcomeOf(await askFor(real.server, route, one, world.ids));
        const expectedOutcome = expected(route, one);
        if (expectedOutcome !== undefined) expect(outcome, `${nameOf(route)} as ${one.name}`).to.equal(expectedOutcome);
        outcomes.push(outcome);
      }
      rows.push({ route, outcomes });
    }
    const page = rightsPage(
      world.callers.map(({ name }) => name),
      rows,
    );
    if (process.env.RUNHOOK_WRITE_RIGHTS) await writeFile(PAGE, page);
    else expect(await readFile(PAGE, 'utf8'), 'run `npm run docs:rights`').to.equal(page);
  });

  it('grant nothing without authentication, and redirect a browser to the sign-in page', async () => {
    for (const route of routes.filter(isGuarded)) {
      const found = await askFor(real.server, route, caller('anonymous'), world.ids, { through: true });
      const absent = await askFor(real.server, route, caller('anonymous'), missing(world.ids), { through: true });
      expect(found.statusCode, nameOf(route)).to.equal(401);
      expect(seenOf(found), nameOf(route)).to.deep.equal(seenOf(absent));
    }
    const led = await real.server.inject({ url: `/runs/${world.ids.runId}?a=b`, headers: { accept: 'text/html' } });
    expect(led.statusCode).to.equal(303);
    expect(led.headers.location).to.equal(`/sign-in?next=${encodeURIComponent(`/runs/${world.ids.runId}?a=b`)}`);
  });

  it('grant nothing in a project to the owner of another, and return the same for existing and missing resources', async () => {
    const before = await stateOf(real, world);
    const foreign = caller('owner elsewhere');
    // The victim’s resources, and those below the caller’s own project.
    const own = { ...world.ids, projectId: world.foreignProjectId };
    const unknown = missing(world.ids);
    for (const route of routes.filter(isGuarded)) {
      const names = paramsOf(route);
      const bodyIds = Object.keys(Object(route.settings.app?.api?.bodyExample)).filter((name) => name in world.ids);
      if (names.length + bodyIds.length === 0) continue;
      const pairs = [[world.ids, unknown]];
      const isOwnThing = names.includes('projectId') && names.some((name) => !['projectId', 'number'].includes(name));
      if (isOwnThing) pairs.push([own, { ...unknown, projectId: world.foreignProjectId }]);
      for (const [existing, none] of pairs) {
        const found = await askFor(real.server, route, foreign, existing!, { through: true });
        const absent = await askFor(real.server, route, foreign, none!, { through: true });
        expect(found.statusCode, nameOf(route)).to.be.oneOf([403, 404]);
        expect(seenOf(found), nameOf(route)).to.deep.equal(seenOf(absent));
      }
    }
    expect(await stateOf(real, world)).to.deep.equal(before);
  });

  it('hide a project from the lists of others', async () => {
    const lists = routes.filter((route) => route.method === 'get' && isGuarded(route) && paramsOf(route).length === 0);
    for (const route of lists) {
      const { payload } = await askFor(real.server, route, caller('owner elsewhere'), world.ids, { through: true });
      expect(payload, nameOf(route)).not.to.include(CANARY);
      for (const id of Object.values(world.ids).filter((one) => one.length > 1))
        expect(payload, nameOf(route)).not.to.include(id);
      // A filter by a resource of the victim returns the same as one by an unknown ID.
      for (const name of filtersOf(route).filter((one) => one in world.ids)) {
        const filtered = async (id: string) => {
          const url = `${route.path}?${name}=${id}`;
          const { statusCode, payload } = await real.server.inject({
            url,
            headers: { ...caller('owner elsewhere').headers, 'x-through': 'yes', 'x-request-id': 'same' },
          });
          return { statusCode, payload: payload.replaceAll(id, '') };
        };
        expect(await filtered(world.ids[name]!), `${nameOf(route)} by ${name}`).to.deep.equal(
          await filtered(randomId()),
        );
      }
    }
    // Without the filter it would be included.
    const home = routes.find(({ path }) => path === '/')!;
    expect((await askFor(real.server, home, caller('viewer'), world.ids, { through: true })).payload).to.include(
      CANARY,
    );
  });
}).timeout(120_000);

/** Names of a route’s query parameters. */
function filtersOf({ settings }: RequestRoute): string[] {
  const keys: unknown = settings.app?.api?.query?.describe().keys;
  return Object.keys(Object(keys));
}

/** All resources of the victim. */
async function stateOf({ collections }: RealServer, { ids }: World): Promise<unknown> {
  const { projects, tests, suites, runs, memberships, invitations, sessions, apiTokens, users, webhookTokens } =
    collections;
  const ofProject = { projectId: ids.projectId! };
  const owner = { userId: ids.userId! };
  return {
    projects: await projects.find({ _id: ids.projectId! }).toArray(),
    tests: await tests.find(ofProject).toArray(),
    suites: await suites.find(ofProject).toArray(),
    runs: await runs.find(ofProject).toArray(),
    webhookTokens: await webhookTokens.find(ofProject).toArray(),
    memberships: await memberships.find(ofProject).toArray(),
    invitations: await invitations.find(ofProject).toArray(),
    apiTokens: await apiTokens.find({ $or: [ofProject, owner] }, { projection: { lastUsedAt: 0 } }).toArray(),
    sessions: await sessions.find(owner, { projection: { lastSeenAt: 0, expiresAt: 0 } }).toArray(),
    users: await users.find({ _id: ids.userId! }).toArray(),
  };
}
