import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { showWebhookToken } from '#src/db/tokens/webhook-tokens.js';
import { freePort } from '#tools/stack/ports.js';
import { looksLikeToken } from '#src/domain/tokens/token-format.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { nodeProcess, type NodeProcess } from '#test/support/processes/node-process.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { startStack, type TestStack } from '#test/support/stack.js';

/** Triggers wait for a pool without workers: these tests are about access. */
const fileOf = (name: string) => `project: ${name}\ntests:\n  - { name: T, command: ["true"], pool: unserved }\n`;
const RUNHOOK = fileURLToPath(new URL('../../../dist/src/bin/runhook.js', import.meta.url));
const PER_MINUTE = 600;
const BURST = 300;
const PACE_MS = 20;

interface Shown {
  number: number;
  token: string;
}

describe('tokens and limits of two servers', () => {
  let stack: TestStack;
  let second: NodeProcess;
  let servers: string[];
  let admin: TestPerson;

  before(async () => {
    const limits = {
      RUNHOOK_LIMIT_TOKEN_TRIGGERS_PER_MINUTE: String(PER_MINUTE),
      RUNHOOK_LIMIT_TOKEN_BURST: String(BURST),
    };
    stack = await startStack({ serverEnv: limits, workerEnv: { RUNHOOK_POOLS: 'none' } });
    const [port, opsPort] = [await freePort(), await freePort()];
    second = nodeProcess('server.js', '"server ready"', {
      ...stack.workerEnv,
      ...limits,
      RUNHOOK_PORT: String(port),
      RUNHOOK_OPS_PORT: String(opsPort),
      RUNHOOK_DRAIN_SECONDS: '0',
    });
    await second.start();
    servers = [stack.baseUrl, `http://127.0.0.1:${port}`];
    admin = await addPerson(stack.collections, { isAdmin: true });
  });
  after(async () => {
    await second?.kill('SIGTERM');
    await stack?.stop();
  });

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${stack.baseUrl}/api/v2${path}`, {
      method,
      headers: { ...admin.tokenHeaders, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as T;
    expect(response.status, JSON.stringify(answer)).to.be.lessThan(300);
    return answer;
  }

  const post = (server: string, project: ImportedProject, token: string, headers: Record<string, string> = {}) =>
    fetch(`${server}/webhooks/${token}/tests/run/${project.tests.T}`, { method: 'POST', headers });

  it('at 50 triggers a second, no valid token is refused during a rotation, and no revoked one accepted', async () => {
    const project = await stack.importText(fileOf('Rotated'));
    const webhooks = `/projects/${project.projectId}/webhook-tokens`;
    const old = project.webhookToken;
    /** URLs to call in turn; valid ones must always return 200. */
    let good = [old];
    /** For the old token: requests sent during the revocation may get either response. */
    let phase: 'good' | 'being revoked' | 'revoked' = 'good';
    const wrong: string[] = [];
    const answers = new Map<string, number>();
    const calls: Promise<void>[] = [];
    let over = false;

    async function trigger(n: number): Promise<void> {
      const isOld = phase !== 'good' && n % 2 === 0;
      const kind = isOld ? phase : 'good';
      const token = isOld ? old : good[n % good.length]!;
      const server = servers[n % 4 < 2 ? 0 : 1]!;
      let { status } = await post(server, project, token);
      // A database that is slow for a moment, on a busy machine: clients retry.
      for (let tries = 1; status === 503 && tries < 5; tries++) ({ status } = await post(server, project, token));
      answers.set(`${kind} ${status}`, (answers.get(`${kind} ${status}`) ?? 0) + 1);
      // Too many of these from one address get 429 instead.
      if (kind === 'revoked' ? status === 200 : kind === 'good' && status !== 200)
        wrong.push(`call ${n} with a ${kind} token: ${status}`);
    }

    const load = (async () => {
      for (let n = 0; !over; n++) {
        calls.push(trigger(n));
        await sleep(PACE_MS);
      }
    })();

    await sleep(1000);
    const fresh = await call<Shown>('POST', `${webhooks}/rotate/`, { keepOldForHours: 1 });
    good = [old, fresh.token];
    await sleep(1000);
    // Clients have switched over.
    good = [fresh.token];
    await Promise.all(calls);
    phase = 'being revoked';
    await call('POST', `${webhooks}/1/revoke/`);
    phase = 'revoked';
    await sleep(2000);
    over = true;
    await load;
    await Promise.all(calls);

    expect(wrong).to.deep.equal([]);
    expect(answers.get('good 200')).to.be.greaterThan(100);
    expect(answers.get('revoked 404')).to.be.greaterThan(20);
  });

  it('allows exactly a token’s limit over both servers', async () => {
    const project = await stack.importText(fileOf('Flooded'));
    const key = { 'idempotency-key': 'before the flood' };
    const first = (await (await post(servers[0]!, project, project.webhookToken, key)).json()) as { id: string };
    const statuses: number[] = [];
    let refusal: Response | undefined;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        // Well past the burst, so that the refill is tested too.
        while (statuses.filter((status) => status === 429).length < 60) {
          const answer = await post(servers[n % 2]!, project, project.webhookToken);
          statuses.push(answer.status);
          if (answer.status === 429) refusal = answer;
          await answer.text();
        }
      }),
    );
    const refill = ((performance.now() - began) / 60_000) * PER_MINUTE;
    const accepted = 1 + statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).to.deep.equal(new Set([200, 429]));
    expect(accepted).to.be.at.most(BURST + Math.ceil(refill));
    expect(accepted).to.be.at.least(BURST);
    expect(await stack.collections.runs.countDocuments({ projectId: project.projectId })).to.equal(accepted);
    const { headers } = refusal!;
    expect(Number(headers.get('retry-after'))).to.be.within(1, 2);
    expect(headers.get('ratelimit-limit')).to.equal(String(PER_MINUTE));
    expect(headers.get('ratelimit-remaining')).to.equal('0');
    expect(Number(headers.get('ratelimit-reset'))).to.be.within(1, 2);

    const replay = await post(servers[1]!, project, project.webhookToken, key);
    expect(replay.status, 'a repeated call starts nothing').to.equal(200);
    expect(((await replay.json()) as { id: string }).id).to.equal(first.id);
  });

  it('applies a changed limit on every server within 5 s: here, of open runs', async () => {
    const project = await stack.importText(fileOf('Limited'));
    for (const server of servers) await (await post(server, project, project.webhookToken)).text();
    await call('PUT', `/projects/${project.projectId}/limits/`, { openRuns: 2 });
    for (const server of servers)
      await eventually(async () => {
        const answer = await post(server, project, project.webhookToken);
        return answer.status === 429 || undefined;
      }, 5000);
    await call('PUT', `/projects/${project.projectId}/limits/`, {});
    for (const server of servers)
      await eventually(async () => (await post(server, project, project.webhookToken)).status === 200 || undefined);
  });

  it('a token is refused outside its networks, and its use is recorded', async () => {
    const project = await stack.importText(fileOf('Fenced'));
    const path = `/projects/${project.projectId}/webhook-tokens/`;
    await call('PATCH', `${path}1/`, { allowedNetworks: ['192.0.2.0/24'] });
    const outside = await post(servers[0]!, project, project.webhookToken);
    const unknown = await post(servers[0]!, project, 'no token');
    expect([outside.status, await outside.text()]).to.deep.equal([404, await unknown.text()]);
    await call('PATCH', `${path}1/`, { allowedNetworks: ['127.0.0.0/8'] });
    expect((await post(servers[0]!, project, project.webhookToken)).status).to.equal(200);
    const used = await eventually(
      async () => (await stack.collections.webhookTokens.findOne({ projectId: project.projectId }))?.lastUsedAt,
    );
    expect(Date.now() - used.getTime()).to.be.lessThan(10_000);
  });

  it('the command encrypts stored tokens with a new key, and changes nothing when repeated', async () => {
    const [oldKey, newKey] = [stack.workerEnv.RUNHOOK_SECRET_KEYS!, randomBytes(32).toString('base64')];
    const rotate = () =>
      promisify(execFile)(process.execPath, [RUNHOOK, 'secrets', 'rotate'], {
        env: { PATH: process.env.PATH, ...stack.workerEnv, RUNHOOK_SECRET_KEYS: `${newKey},${oldKey}` },
      });
    const tokens = await stack.collections.webhookTokens.countDocuments();
    expect((await rotate()).stdout).to.contain(`webhook tokens: ${tokens} re-encrypted, 0 already encrypted`);
    expect((await rotate()).stdout).to.contain(`webhook tokens: 0 re-encrypted, ${tokens} already encrypted`);
    const { projectId } = (await stack.collections.webhookTokens.findOne({}))!;
    expect(
      await showWebhookToken(stack.collections.webhookTokens, [Buffer.from(newKey, 'base64')], projectId),
    ).to.match(/^rhwh_/);
  });

  it('no token is in the output of the servers', async () => {
    const output = stack.output() + second.output;
    expect(output).to.contain('/webhooks/{token}/tests/run/{targetId}');
    const tokens = output.match(/rh(wh|at|se)_[0-9A-Za-z]{49}/g) ?? [];
    expect(tokens.filter((text) => looksLikeToken('webhook', text) || looksLikeToken('api', text))).to.deep.equal([]);
  });
});
