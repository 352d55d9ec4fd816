import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createPoolStore } from '#src/db/pools/pool-store.js';
import { apiClient, sessionClient, type ApiCall } from '#test/support/servers/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { endedRun, runWithStatus, trigger, type StackOptions, type TestStack } from '#test/support/stack.js';
import { TESTS_OF_NIGHTLY, WAREHOUSE, WEBSHOP } from './definitions.js';
import { addHistory } from './history.js';
import { addRunnerRuns, type RunnerRuns } from './runner-runs.js';

/** A fixed folder. */
const FOLDER = '/tmp';
export const PASSWORD = 'correct horse battery staple';

/** How the stack is started for the world: its tests call a fake of the program that tests a shop. */
export const WORLD_STACK: StackOptions = {
  workerEnv: {
    PATH: `${fileURLToPath(new URL('./bin', import.meta.url))}:${process.env.PATH}`,
    RUNHOOK_SLOTS: '12',
  },
};

/** A project and its objects by name. */
export interface WorldProject {
  id: string;
  tests: Record<string, string>;
  suites: Record<string, string>;
  /** Path of its tests or suites; `{…_ID}` is substituted. */
  webhookUrl(kind: 'tests' | 'suites', name: string): string;
}

/** The data that pages show: always the same people, projects and verdicts. */
export interface World {
  admin: TestPerson;
  owner: TestPerson;
  editor: TestPerson;
  viewer: TestPerson;
  /** A member of the warehouse project only. */
  outsider: TestPerson;
  /** A member of no project. */
  newcomer: TestPerson;
  webshop: WorldProject;
  warehouse: WorldProject;
  /** An empty project. */
  emptyProjectId: string;
  scheduleId: string;
  /** Ids of runs by their outcome. */
  runs: Record<'passed' | 'failed' | 'retried' | 'broken' | 'running' | 'waiting' | 'smoke' | 'nightly', string> &
    RunnerRuns;
  /** Path of an invitation that was not accepted yet. */
  invitation: string;
}

/**
 * Fills an empty stack (see WORLD_STACK). It takes some seconds, for its runs are real but those of the last two weeks.
 */
export async function buildWorld(stack: TestStack): Promise<World> {
  const { collections } = stack;
  const person = (name: string, isAdmin = false, password?: string) =>
    addPerson(collections, { name, isAdmin, email: `${name.split(' ')[0]!.toLowerCase()}@webshop.example`, password });
  const [admin, owner, editor, viewer, outsider, newcomer] = [
    await person('Ada Minton', true),
    await person('Olivia Owens', false, PASSWORD),
    await person('Edgar Edison'),
    await person('Vera Viewing'),
    await person('Otto Outside'),
    await person('Nora Newman'),
  ];
  const call = checked(apiClient(stack.baseUrl, owner.apiToken));
  await createPoolStore(collections).insert('phones', { description: 'Real phones', projects: 'all' });
  const webshop = await importProject(stack, call, owner, WEBSHOP);
  const warehouse = await importProject(stack, call, owner, WAREHOUSE);
  const { results: schedules } = await call('GET', `/projects/${webshop.id}/schedules/`);
  const { id: emptyProjectId } = await call('POST', '/projects/', { name: 'Newsletter' });

  for (const [who, role] of [
    [editor, 'editor'],
    [viewer, 'viewer'],
  ] as const)
    await join(stack, call, webshop.id, who, role);
  await join(stack, call, warehouse.id, outsider, 'viewer');
  const { url } = await call('POST', `/projects/${webshop.id}/invitations/`, {
    role: 'viewer',
    email: 'nina@webshop.example',
  });
  await call('POST', `/projects/${webshop.id}/profiles/`, {
    name: 'Staging',
    isDefault: true,
    variables: [
      { key: 'BASE_URL', value: 'https://staging.webshop.example' },
      { key: 'PAYMENT_KEY', value: 'a-secret-key', isSecret: true },
    ],
  });
  const projectToken = { name: 'CI of the shop', scopes: ['read', 'run'] };
  await checked(sessionClient(stack.baseUrl, owner))('POST', `/projects/${webshop.id}/tokens/`, projectToken);
  await addHistory(collections, webshop.suites.Nightly!);

  return {
    admin,
    owner,
    editor,
    viewer,
    outsider,
    newcomer,
    webshop,
    warehouse,
    emptyProjectId,
    scheduleId: schedules[0].id as string,
    invitation: new URL(url).pathname,
    runs: await makeRuns(stack, webshop, warehouse),
  };
}

async function makeRuns(stack: TestStack, webshop: WorldProject, warehouse: WorldProject): Promise<World['runs']> {
  const start = async (kind: 'tests' | 'suites', name: string) => (await trigger(webshop.webhookUrl(kind, name))).id;
  // Sequentially where they end, because lists show them in this order.
  const ended = async (name: string, kind: 'tests' | 'suites' = 'tests') =>
    (await endedRun(stack, await start(kind, name), 30_000))._id;
  await trigger(warehouse.webhookUrl('suites', 'Morning'));
  const runs = {
    ...(await addRunnerRuns(stack.collections, webshop.tests)),
    broken: await ended('Load of a sale'),
    retried: await ended('Search finds products'),
    passed: await ended('Checkout'),
    failed: await ended('Refund reaches the customer'),
    smoke: await start('suites', 'Smoke'),
    nightly: await start('suites', 'Nightly'),
    running: await start('tests', 'Price feed for partners'),
    waiting: await start('tests', 'Pictures on a real phone'),
  };
  await runWithStatus(stack, runs.running, 'running');
  // Its four slow tests occupy its slots.
  await eventually(async () => {
    const done = await stack.collections.runs.countDocuments({
      suiteRunId: runs.nightly,
      status: { $in: ['passed', 'failed'] },
    });
    const running = await stack.collections.runs.countDocuments({ suiteRunId: runs.nightly, status: 'running' });
    return (running === 4 && done === TESTS_OF_NIGHTLY.indexOf('Stock import of the main supplier')) || undefined;
  }, 60_000);
  await endedRun(stack, runs.smoke, 60_000);
  // The numbers of targets follow the order in which runs end.
  await eventually(
    async () => (await stack.collections.targetStats.findOne({ _id: webshop.suites.Smoke! })) ?? undefined,
    30_000,
  );
  return runs;
}

async function importProject(stack: TestStack, call: Checked, owner: TestPerson, text: string): Promise<WorldProject> {
  const response = await fetch(`${stack.baseUrl}/api/v2/import/?folder=${FOLDER}`, {
    method: 'POST',
    headers: { ...owner.tokenHeaders, 'content-type': 'application/yaml' },
    body: text,
  });
  const {
    projectId: id,
    changes,
    ...rest
  } = (await response.json()) as {
    projectId: string;
    changes: { kind: string; id: string; name: string }[];
  };
  expect(response.status, JSON.stringify(rest)).to.equal(200);
  const named = (kind: string) =>
    Object.fromEntries(changes.filter((change) => change.kind === kind).map((change) => [change.name, change.id]));
  const [tests, suites] = [named('test'), named('suite')];
  const { results } = await call('GET', `/projects/${id}/webhook-tokens/`);
  const { token } = results[0];
  return {
    id,
    tests,
    suites,
    webhookUrl: (kind, name) => `${stack.baseUrl}/webhooks/${token}/${kind}/run/${{ tests, suites }[kind][name]}`,
  };
}

/** By invitation, like people do. */
async function join(
  stack: TestStack,
  call: Checked,
  projectId: string,
  person: TestPerson,
  role: string,
): Promise<void> {
  const { url } = await call('POST', `/projects/${projectId}/invitations/`, { role, email: person.email });
  await checked(sessionClient(stack.baseUrl, person))('POST', '/auth/accept-invitation/', {
    token: new URL(url).pathname.split('/').pop(),
  });
}

type Checked = ReturnType<typeof checked>;

/** Makes a call that must succeed. @returns the body */
function checked(call: ApiCall) {
  return async (method: string, path: string, body?: object): Promise<ApiAnswerBody> => {
    const answer = await call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.be.within(200, 299);
    return answer.body;
  };
}

type ApiAnswerBody = Awaited<ReturnType<ApiCall>>['body'];
