import type { Role } from '#src/domain/people/rights.js';
import { randomId } from '#src/domain/ids.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { pageBrowser, type PageBrowser } from '#test/support/servers/page-browser.js';
import { addPerson, type PersonOptions, type TestPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';

/** Name of every project in these tests: it must be escaped. */
export const NAME = 'Shop <script>alert(1)</script>';
export const ESCAPED = 'Shop &lt;script>alert(1)&lt;/script>';

export interface SomeBody extends TestPerson, PageBrowser {}

export interface SettingsWorld {
  real: RealServer;
  /** Creates a project with these people. */
  project(): Promise<{ id: string; path: string; people: Record<Role, SomeBody> }>;
  somebody(options?: PersonOptions): Promise<SomeBody>;
}

/** A real server for the tests of a file; call it in `describe`. */
export function settingsWorld(): SettingsWorld {
  const world = {} as SettingsWorld;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    world.real = await realServer();
  });
  after(() => world.real.close());

  world.somebody = async (options = {}) => {
    const person = await addPerson(world.real.collections, options);
    return { ...person, ...pageBrowser(world.real.server, person) };
  };
  world.project = async () => {
    const id = randomId();
    const project = { _id: id, name: NAME, slug: `shop-${id}`, revision: 1, createdAt: new Date() };
    await world.real.collections.projects.insertOne(project);
    const member = (role: Role) => world.somebody({ roles: { [id]: role } });
    const people = { viewer: await member('viewer'), editor: await member('editor'), owner: await member('owner') };
    return { id, path: `/projects/${id}/settings`, people };
  };
  return world;
}
