import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { allText } from '#test/support/all-text.js';
import { apiClient, followLog, type ApiCall } from '#test/support/servers/api-client.js';
import { addApiToken, addPerson } from '#test/support/people.js';
import { endedRun, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

/** Prints everything it has, and fails. */
const PROJECT = `
project: Canaries
tests:
  - { name: Says all, command: [sh, -c, 'env; env >&2; env | base64 -w 0; exit 1'], retries: 1 }
  - { name: Missing command, command: [nothing-of-this-name], env: {} }
suites:
  - { name: Both, tests: [Says all, Missing command], retryFailed: 1 }
`;

const canary = (name: string) => `canary-${name}-${randomBytes(12).toString('hex')}`;

describe('secrets', function () {
  this.timeout(60_000);
  let stack: TestStack;
  let project: ImportedProject;
  const answers: string[] = [];
  const secrets = {
    'default variable set': canary('default'),
    'chosen variable set': canary('chosen'),
    "run's variable": canary('run'),
    password: canary('password'),
  } as Record<string, string>;

  before(async function () {
    this.timeout(600_000);
    stack = await startStack();
    project = await stack.importText(PROJECT);
    const admin = await addPerson(stack.collections, { isAdmin: true });
    const projectToken = await addApiToken(stack.collections, { projectId: project.projectId });
    Object.assign(secrets, {
      'webhook token': project.webhookToken,
      'personal token': admin.apiToken,
      'project token': projectToken,
    });
    await useAll(recording(admin.apiToken), recording(projectToken));
  });
  after(() => stack?.stop());

  /** Calls the API with a token; every response is recorded. */
  function recording(token: string): ApiCall {
    const call = apiClient(stack.baseUrl, token);
    return async (method, path, body, headers) => {
      const answer = await call(method, path, body, headers);
      answers.push(JSON.stringify(answer));
      return answer;
    };
  }

  async function useAll(asAdmin: ApiCall, asProject: ApiCall): Promise<void> {
    const secret = (key: string, name: string) => ({ key, value: secrets[name], isSecret: true });
    const profiles = `/projects/${project.projectId}/profiles/`;
    const defaults = [secret('DEFAULT_SECRET', 'default variable set')];
    await asAdmin('POST', profiles, { name: 'Default', isDefault: true, variables: defaults });
    const chosenSet = { name: 'Chosen', variables: [secret('CHOSEN_SECRET', 'chosen variable set')] };
    const chosen = await asProject('POST', profiles, chosenSet, { 'idempotency-key': 'k' });
    await asAdmin('PATCH', `/profiles/${chosen.body.id}/`, { variables: [] }, { 'if-match': '"9"' });

    const own = [secret('RUN_SECRET', "run's variable")];
    const extras = { runProfileId: chosen.body.id, variables: own };
    const { tests, suites } = project;
    const key = { 'idempotency-key': 'a-run' };
    const started = [
      await asAdmin('POST', '/testruns/', { testId: tests['Says all'], ...extras }, key),
      await asProject('POST', '/testruns/', { testId: tests['Missing command'], ...extras }),
      await asProject('POST', '/suiteruns/', { suiteId: suites.Both, ...extras }),
    ];
    const ids = started.map(({ status, body }) => {
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.id as string;
    });
    const webhook = await trigger(webhookUrl(stack, project, 'tests', 'Says all'));
    for (const id of [...ids, webhook.id]) await endedRun(stack, id, 40_000);
    answers.push((await followLog(asAdmin, ids[0]!)).join('\n'));
    await asAdmin('GET', `/suiteruns/${ids[2]}/`);
    ids.push((await asAdmin('POST', `/testruns/${ids[0]}/rerun/`)).body.id);
    await endedRun(stack, ids.at(-1)!, 40_000);

    // Refusals that mention them.
    await asAdmin('POST', '/testruns/', { testId: tests['Says all'], ...extras, variables: [] }, key);
    await asAdmin('POST', '/testruns/', {
      testId: tests['Says all'],
      variables: [...own, ...own, { key: '1', value: secrets.password }],
    });
    await asAdmin('GET', `/testruns/${secrets.password}/?cursor=${secrets.password}`);
    await asAdmin('POST', '/users/', { email: 'ada@example.test', password: secrets.password });
    const signIn = (email: string) => asAdmin('POST', '/auth/sign-in/', { email, password: secrets.password });
    expect((await signIn('ada@example.test')).status).to.equal(200);
    expect((await signIn('nobody@example.test')).status).to.equal(401);
    await recording(`${secrets['project token']}x`)('GET', '/me/');
    const { status } = await fetch(`${stack.baseUrl}/webhooks/${project.webhookToken}/tests/run/none`, {
      method: 'POST',
    });
    expect(status).to.equal(404);
  }

  function expectNone(place: string, text: string, length = 100): void {
    expect(text.length, place).to.be.greaterThan(length);
    for (const [name, secret] of Object.entries(secrets))
      for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, -4), encodeURIComponent(secret)])
        expect(text.includes(form), `the ${name} is in ${place}`).to.equal(false);
  }

  it('reach the test', async () => {
    const lines = await stack.collections.runLogs.find({ text: /^(DEFAULT|CHOSEN|RUN)_SECRET=\*\*\*$/ }).toArray();
    expect(new Set(lines.map(({ text }) => text))).to.have.property('size', 3);
  });

  it('are in no log of a process, and no metric', async () => {
    expectNone('the logs', stack.output());
    expectNone('the metrics', await (await fetch(`${stack.opsUrl}/metrics`)).text());
  });

  it('are in no response', () => expectNone('the answers', answers.join('\n')));

  it('are in nothing that Temporal stores', async () => {
    let count = 0;
    for await (const listed of stack.temporal.workflow.list()) {
      const handle = stack.temporal.workflow.getHandle(listed.workflowId, listed.runId);
      expectNone(`the history of ${listed.type}`, allText(await handle.fetchHistory()));
      expectNone(`the description of ${listed.type}`, allText((await handle.describe()).raw));
      count++;
    }
    // Four runs, a suite, its two tests.
    expect(count).to.be.at.least(7);
  });

  it('are in no collection in plain text, including the audit log', async () => {
    for (const collection of Object.values(stack.collections)) {
      const documents = await collection.find().toArray();
      expectNone(`the collection ${collection.collectionName}`, JSON.stringify(documents), 0);
    }
    expect(await stack.collections.audit.countDocuments()).to.be.at.least(6);
    expect(await stack.collections.variableSets.countDocuments({ 'variables.sealed': /^v1\./ })).to.equal(2);
  });
});
