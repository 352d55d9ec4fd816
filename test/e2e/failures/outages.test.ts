import { expect } from 'chai';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { eventually } from '#test/support/eventually.js';
import { endedRun, startStack, webhookUrl, type TestStack } from '#test/support/stack.js';

interface Post {
  status: number;
  ms: number;
  retryAfter: string | null;
  id?: string;
}

async function post(url: string): Promise<Post> {
  const began = performance.now();
  const response = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(10_000) });
  const body = (await response.json()) as { id?: string };
  return {
    status: response.status,
    ms: performance.now() - began,
    retryAfter: response.headers.get('retry-after'),
    ...(response.status === 200 ? { id: body.id! } : {}),
  };
}

/** POSTs from four clients until stopped, with short pauses. */
function steadyPosts(url: string): { answered(): number; end(): Promise<Post[]> } {
  const posts: Post[] = [];
  let going = true;
  const callers = Array.from({ length: 4 }, async () => {
    while (going) {
      posts.push(await post(url));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  return {
    answered: () => posts.length,
    async end() {
      going = false;
      await Promise.all(callers);
      return posts;
    },
  };
}

const worst = (posts: Post[]) => Math.max(...posts.map(({ ms }) => ms));

describe('outages', () => {
  let stack: TestStack;
  let project: ImportedProject;
  let url: string;

  before(async () => {
    stack = await startStack();
    project = await stack.importText('project: Outages\ntests:\n  - { name: Quick, command: ["true"] }\n');
    url = webhookUrl(stack, project, 'tests', 'Quick');
  });
  after(() => stack?.stop());

  const readiness = async () => {
    const response = await fetch(`${stack.opsUrl}/readyz`);
    return {
      code: response.status,
      body: (await response.json()) as { dependencies: Record<string, { status: string }> },
    };
  };

  it('MongoDB frozen: 503 with Retry-After within 6 s, and 200 again without a restart', async () => {
    expect((await post(url)).status).to.equal(200);
    const { mongodb } = stack.pids();
    process.kill(mongodb, 'SIGSTOP');
    let refused: Post[];
    try {
      refused = (await Promise.all(Array.from({ length: 8 }, () => post(url)))).concat(await post(url));
      expect((await readiness()).code).to.equal(503);
    } finally {
      process.kill(mongodb, 'SIGCONT');
    }
    for (const answer of refused) {
      expect(answer.status).to.equal(503);
      expect(Number(answer.retryAfter)).to.be.greaterThan(0);
      expect(answer.ms).to.be.lessThan(6000);
    }
    const back = await eventually(async () => {
      const answer = await post(url);
      expect([200, 503]).to.include(answer.status);
      return answer.id;
    }, 20_000);
    expect((await endedRun(stack, back, 30_000)).status).to.equal('passed');
    await eventually(async () => (await readiness()).code === 200 || undefined);
  }).timeout(90_000);

  it('Temporal frozen: 200 throughout, and every run ends afterwards', async () => {
    const { temporal } = stack.pids();
    const posts = steadyPosts(url);
    process.kill(temporal, 'SIGSTOP');
    let answers: Post[];
    try {
      await eventually(
        async () => (await readiness()).body.dependencies.temporal!.status === 'degraded' || undefined,
        20_000,
      );
      expect((await readiness()).code).to.equal(200);
      answers = await posts.end();
    } finally {
      process.kill(temporal, 'SIGCONT');
    }
    expect(answers.length).to.be.greaterThan(20);
    expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([]);
    expect(worst(answers)).to.be.lessThan(6000);
    for (const { id } of answers) expect((await endedRun(stack, id!, 90_000)).status).to.equal('passed');
  }).timeout(180_000);

  const shownToAdmins = async (path: string) => {
    const response = await fetch(stack.baseUrl + path, {
      headers: { ...stack.admin.sessionHeaders, accept: 'text/html' },
    });
    expect(response.status).to.equal(200);
    return (await response.text()).replace(/<[^>]*>/g, '');
  };

  it('shows the health of all components to admins', async () => {
    await eventually(async () => (await shownToAdmins('/admin/workers')).includes('1 poller') || undefined);
    expect(await shownToAdmins('/admin/workers'))
      .to.include('served')
      .and.to.include('live');
    expect(await shownToAdmins('/admin/health'))
      .to.include('Healthy')
      .and.to.include('Schedules');
  });

  it('Temporal killed for a while: 200 throughout, and every run ends afterwards', async () => {
    const posts = steadyPosts(url);
    let answers: Post[] = [];
    await stack.restartTemporal(async () => {
      await eventually(
        async () => (await readiness()).body.dependencies.temporal!.status === 'degraded' || undefined,
        20_000,
      );
      // Longer than the longest backoff of any client.
      await eventually(() => posts.answered() > 300 || undefined, 30_000);
      answers = await posts.end();
      const { pending } = {
        pending: await stack.collections.runs.countDocuments({ 'dispatch.after': { $exists: true } }),
      };
      expect(pending).to.be.greaterThan(0);
      expect(await shownToAdmins('/admin/health')).to.match(/Triggers are still accepted.*run(s wait| waits)/s);
      expect(await shownToAdmins('/admin/workers')).to.include('Temporal is unavailable');
    });
    expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([]);
    expect(worst(answers)).to.be.lessThan(6000);
    for (const { id } of answers) expect((await endedRun(stack, id!, 120_000)).status).to.equal('passed');
  }).timeout(240_000);

  it('MongoDB killed under load: 200 or 503, and every 200 has its run, which ends', async () => {
    const posts = steadyPosts(url);
    await eventually(() => posts.answered() > 20 || undefined);
    await stack.restartMongodb(async () => {
      const before = posts.answered();
      await eventually(() => posts.answered() > before + 10 || undefined, 20_000);
    });
    await eventually(async () => (await post(url)).status === 200 || undefined, 20_000);
    const answers = await posts.end();
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).to.deep.equal([]);
    expect(answers.some(({ status }) => status === 503)).to.equal(true);
    expect(worst(answers)).to.be.lessThan(6000);
    const accepted = answers.flatMap(({ id }) => (id ? [id] : []));
    for (const id of accepted) expect((await endedRun(stack, id, 90_000)).status).to.equal('passed');
  }).timeout(180_000);

  it('server and worker may start before MongoDB and Temporal respond', async () => {
    await Promise.all([stack.server.kill('SIGTERM'), stack.worker.kill('SIGTERM')]);
    const { mongodb, temporal } = stack.pids();
    process.kill(mongodb, 'SIGSTOP');
    process.kill(temporal, 'SIGSTOP');
    let workerReady: Promise<void>;
    try {
      await stack.server.start();
      workerReady = stack.worker.start();
      expect((await post(url)).status).to.equal(503);
      expect((await readiness()).code).to.equal(503);
    } finally {
      process.kill(mongodb, 'SIGCONT');
      process.kill(temporal, 'SIGCONT');
    }
    await workerReady;
    const accepted = await eventually(async () => (await post(url)).id, 20_000);
    expect((await endedRun(stack, accepted, 30_000)).status).to.equal('passed');
  }).timeout(90_000);

  it('exposes pending runs in its metrics', async () => {
    const metrics = await (await fetch(`${stack.opsUrl}/metrics`)).text();
    expect(metrics).to.match(/^runhook_pending_starts 0$/m);
    expect(metrics).to.match(/^runhook_pending_starts_oldest_seconds 0$/m);
    expect(metrics).to.match(
      /runhook_http_requests_total\{route="\/webhooks\/\{token\}\/tests\/run\/\{targetId\}",method="post",status="200"\} \d+/,
    );
    expect(metrics).to.match(/^runhook_trigger_duration_seconds_count\{kind="test"\} [1-9]/m);
    expect(metrics).to.match(/^runhook_dispatch_delay_seconds_count [1-9]/m);
    expect(metrics).to.match(/^runhook_runs\{status="passed"\} [1-9]/m);
  });
});
