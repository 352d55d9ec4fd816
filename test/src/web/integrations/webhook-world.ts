import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { Suite, Test } from '#src/domain/records.js';
import type { Role } from '#src/domain/people/rights.js';
import { randomId } from '#src/domain/ids.js';
import { aSuiteDefinition, aTestDefinition } from '#test/builders/run.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { pageBrowser, type PageBrowser } from '#test/support/servers/page-browser.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import type { RealServer } from '#test/support/servers/real-server.js';
import { awakeServer } from '#test/support/servers/awake-server.js';

/** Name of everything in these tests: it must be escaped. */
export const NAME = 'Buy "it" <script>alert(1)</script>';
export const ESCAPED = 'Buy &quot;it&quot; &lt;script>alert(1)&lt;/script>';

export interface WebhookProject {
  id: string;
  slug: string;
  testId: string;
  suiteId: string;
  /** Path of the project's webhooks page. */
  path: string;
  people: Record<Role, TestPerson & PageBrowser>;
}

export interface WebhookWorld {
  real: RealServer;
  /** A project created by its owner, with a test, a suite, a webhook token and these people. */
  project(): Promise<WebhookProject>;
  /** Sends a POST to a webhook URL. */
  post(url: string): Promise<{ status: number; body: Record<string, string> }>;
}

/** A real server for the tests of a file; call it in `describe`. */
export function webhookWorld(): WebhookWorld {
  const world = {} as WebhookWorld;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    world.real = await awakeServer();
  });
  after(() => world.real.close());

  world.project = async () => {
    const { server, collections } = world.real;
    const owner = await addPerson(collections);
    const made = await server.inject({
      method: 'POST',
      url: '/api/v2/projects/',
      headers: owner.tokenHeaders,
      payload: { name: NAME },
    });
    const { id, slug } = JSON.parse(made.payload) as { id: string; slug: string };
    const common = { projectId: id, name: NAME, revision: 1, modifiedAt: new Date() };
    const test: Test = { _id: randomId(), ...common, definition: aTestDefinition() };
    const suite: Suite = { _id: randomId(), ...common, definition: aSuiteDefinition({ tests: [test._id] }) };
    await collections.tests.insertOne(test);
    await collections.suites.insertOne(suite);
    const member = async (role: Role) => withBrowser(await addPerson(collections, { roles: { [id]: role } }));
    const withBrowser = (person: TestPerson) => ({ ...person, ...pageBrowser(server, person) });
    return {
      id,
      slug,
      testId: test._id,
      suiteId: suite._id,
      path: `/projects/${id}/integrations/webhooks`,
      people: { viewer: await member('viewer'), editor: await member('editor'), owner: withBrowser(owner) },
    };
  };

  world.post = async (url) => {
    const { pathname } = new URL(url);
    const { statusCode, payload } = await world.real.server.inject({ method: 'POST', url: pathname });
    return { status: statusCode, body: JSON.parse(payload) as Record<string, string> };
  };
  return world;
}

/** The path of the page of a test or suite. */
export function outsidePath(kind: TargetKind, { testId, suiteId }: WebhookProject): string {
  return kind === 'test' ? `/tests/${testId}/run-from-outside` : `/suites/${suiteId}/run-from-outside`;
}

/** The text that a copy button copies: the content of the element with this ID, decoded like in a browser. */
export function copiedFrom(html: string, id: string): string | undefined {
  const [, attributes = '', text = ''] =
    new RegExp(`<pre id="${id}"((?: [\\w-]+="[^"]*")*)>([^<]*)</pre>`).exec(html) ?? [];
  const secret = /data-secret="([^"]*)"/.exec(attributes)?.[1];
  return (secret ?? text)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
