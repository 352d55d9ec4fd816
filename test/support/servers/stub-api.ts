import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { statusCounts } from '#src/domain/runs/run-status.js';
import { newToken } from '#src/domain/tokens/token-format.js';

/** A call to the stub. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  json: () => Record<string, unknown>;
}

export interface StubRun {
  id: string;
  kind: TargetKind;
  projectId: string;
  name: string;
  status: RunStatus;
  testRuns: StubRun[];
  log: string[];
  /** Its status at each request; the last one stays. */
  script: RunStatus[];
  errorMessage?: string;
  modified: number;
}

/** A fault of the stub: a status with headers, a cut connection, or a custom body. */
export type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'cut' | 'cut after';

/** A stub of the API: one project, its tests and suites, and scripted runs. */
export interface StubApi {
  url: string;
  token: string;
  password: string;
  project: { id: string; name: string; slug: string };
  /** In addition to `project`. */
  projects: { id: string; name: string; slug: string }[];
  tests: Record<string, string>;
  suites: Record<string, string>;
  runs: Map<string, StubRun>;
  calls: Call[];
  /** Each is used once, by the next call with a matching path. */
  faults: { path: RegExp; fault: Fault }[];
  /** Scripts of the next runs. */
  next: { script?: RunStatus[]; tests?: [string, RunStatus][]; log?: string[] };
  callsTo(method: string, path: RegExp): Call[];
  /** Stops listening; `start` uses the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function stubApi(): Promise<StubApi> {
  const ids = (...names: string[]) => Object.fromEntries(names.map((name) => [name, randomUUID()]));
  const project = { id: randomUUID(), name: 'Demo shop', slug: 'demo-shop' };
  const keys = new Map<string, { body: string; run: StubRun }>();
  let server: Server;
  let port = 0;

  const api: StubApi = {
    url: '',
    token: newToken('api'),
    password: 'correct horse battery',
    project,
    projects: [project],
    tests: ids('Checkout works', 'Prices add up', '<b>&"\u0007 odd'),
    suites: ids('Smoke', 'Nightly'),
    runs: new Map(),
    calls: [],
    faults: [],
    next: {},
    callsTo: (method, path) => api.calls.filter((call) => call.method === method && path.test(call.path)),
    async start() {
      server = createServer((request, response) => void serve(request, response));
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
      api.url = `http://127.0.0.1:${port}`;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, api.url);
    const body = await readAll(request);
    const call: Call = {
      method: request.method!,
      path: pathname.replace(/^\/api\/v2/, ''),
      query: searchParams,
      headers: request.headers,
      body,
      json: () => JSON.parse(body) as Record<string, unknown>,
    };
    api.calls.push(call);
    const at = api.faults.findIndex(({ path }) => path.test(call.path));
    const fault = at < 0 ? undefined : api.faults.splice(at, 1)[0]!.fault;
    if (fault === 'cut') return void request.socket.destroy();
    if (fault && fault !== 'cut after')
      return end(response, fault.status, fault.body ?? problem(fault.status), fault.headers);
    const { status, body: answer, headers } = answerTo(call);
    if (fault === 'cut after') return void request.socket.destroy();
    end(response, status, answer, headers);
  }

  function answerTo(call: Call): { status: number; body?: unknown; headers?: Record<string, string> } {
    const { method, path } = call;
    const route = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace(/\/$/, '')}`;
    if (route === 'GET /openapi.json') return { status: 200, body: {} };
    if (route === 'POST /auth/sign-in') {
      const { email, password } = call.json();
      if (email !== 'ada@example.test' || password !== api.password) return { status: 401, body: problem(401) };
      return { status: 200, body: me(), headers: { 'set-cookie': 'runhook_session=rhse_x; HttpOnly; Path=/' } };
    }
    const isSession = call.headers.cookie === 'runhook_session=rhse_x';
    if (isSession && method !== 'GET' && call.headers['x-csrf-token'] !== 'csrf-1')
      return { status: 403, body: problem(403) };
    if (!isSession && call.headers.authorization !== `Token ${api.token}`) return { status: 401, body: problem(401) };
    const handler = routes[route];
    return handler
      ? handler(call, /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? '')
      : { status: 404, body: problem(404) };
  }

  type Handler = (call: Call, id: string) => { status: number; body?: unknown };

  const ok = (body: unknown) => ({ status: 200, body });
  /** Paged; `next` contains the server's public URL. */
  const list = (all: unknown[], { path, query }: Call) => {
    const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit') ?? 50)];
    const to = from + limit;
    const next = to < all.length ? `https://public.example/api/v2${path}?limit=${limit}&cursor=${to}` : null;
    return ok({ count: all.length, next, previous: null, results: all.slice(from, to) });
  };
  const targets = (kind: 'tests' | 'suites', { query }: Call) =>
    Object.entries(api[kind])
      .filter(([name]) => name.includes(query.get('search') ?? ''))
      .map(([name, id]) => target(kind, name, id));
  const target = (kind: string, name: string, id: string) => ({
    id,
    projectId: project.id,
    name,
    archived: false,
    modified: '2026-08-02T10:00:00.000Z',
    ...(kind === 'tests' ? { pool: 'default', runner: 'command' } : { tests: Object.values(api.tests) }),
  });
  const targetOf =
    (kind: 'tests' | 'suites'): Handler =>
    (_call, id) => {
      const found = Object.entries(api[kind]).find(([, one]) => one === id);
      return found ? ok(target(kind, found[0], id)) : { status: 404, body: problem(404) };
    };
  const startOf =
    (kind: TargetKind): Handler =>
    (call) => {
      const key = String(call.headers['idempotency-key']);
      const before = keys.get(key);
      if (before) return before.body === call.body ? ok(viewed(before.run)) : { status: 422, body: problem(422) };
      const targetId = call.json()[`${kind}Id`];
      const name = Object.entries(api[`${kind}s`]).find(([, id]) => id === targetId)?.[0];
      if (!name) return { status: 404, body: problem(404) };
      const run = started(kind, name);
      keys.set(key, { body: call.body, run });
      return { status: 201, body: viewed(run) };
    };
  const runOf =
    (kind: TargetKind, use: (run: StubRun, call: Call) => { status: number; body?: unknown }): Handler =>
    (call, id) => {
      const run = api.runs.get(id);
      return run?.kind === kind ? use(run, call) : { status: 404, body: problem(404) };
    };
  const stopped = (run: StubRun) => {
    run.script = ['stopped'];
    return ok(viewed(run));
  };

  function started(kind: TargetKind, name: string): StubRun {
    const { script = ['queued', 'running', 'passed'], tests = [], log = [] } = api.next;
    const run: StubRun = {
      id: randomUUID(),
      kind,
      projectId: project.id,
      name,
      status: script[0]!,
      script: [...script],
      testRuns: [],
      log,
      modified: 0,
    };
    run.testRuns =
      kind === 'suite'
        ? tests.map(([test, status]) => ({
            ...run,
            kind: 'test',
            id: randomUUID(),
            name: test,
            status,
            script: [status],
            testRuns: [],
          }))
        : [];
    for (const one of [run, ...run.testRuns]) api.runs.set(one.id, one);
    return run;
  }

  /** Each request advances the run. */
  function looked(run: StubRun) {
    const status = run.script.length > 1 ? run.script.shift()! : run.script[0]!;
    if (status !== run.status) run.modified++;
    run.status = status;
    return run;
  }

  function viewed(run: StubRun): Record<string, unknown> {
    const isOver = !['queued', 'running', 'auto_retrying'].includes(run.status);
    const counts = statusCounts();
    for (const test of run.testRuns) counts[test.status]++;
    return {
      id: run.id,
      kind: run.kind,
      projectId: run.projectId,
      name: run.name,
      status: run.status,
      queued: '2026-08-02T10:00:00.000Z',
      started: run.status === 'queued' || run.status === 'skipped' ? null : '2026-08-02T10:00:01.000Z',
      ended: isOver ? '2026-08-02T10:00:03.500Z' : null,
      duration: isOver ? 2.5 : null,
      modified: new Date(Date.UTC(2026, 7, 2, 10, 0, run.modified)).toISOString(),
      errorCode: run.status === 'error' ? 'TEST_TIMEOUT' : null,
      errorMessage: run.errorMessage ?? null,
      triggeredBy: { type: 'cli', name: 'ada@example.test', userId: null },
      webappUrl: `${api.url}/runs/${run.id}`,
      ...(run.kind === 'suite' ? { counts, testRuns: run.testRuns.slice(0, 1000).map(viewed) } : { attempt: 1 }),
    };
  }

  const logOf = (run: StubRun, { query }: Call) => {
    const after = Number(query.get('after') ?? 0);
    const results = run.log.slice(after, after + Number(query.get('limit'))).map((text, index) => ({
      cursor: String(after + index + 1),
      at: '2026-08-02T10:00:02.000Z',
      attempt: 1,
      stream: 'stdout',
      text,
    }));
    return ok({ results, next: results.at(-1)?.cursor ?? String(after), ended: true });
  };
  const me = () => ({
    type: 'person',
    userId: randomUUID(),
    projectId: null,
    email: 'ada@example.test',
    name: 'Ada',
    isAdmin: false,
    scopes: ['read', 'run', 'edit'],
    csrfToken: 'csrf-1',
  });

  const routes: Record<string, Handler> = {
    'GET /me': () => ok(me()),
    'POST /auth/sign-out': () => ({ status: 204 }),
    'POST /me/tokens': (call) => ({ status: 201, body: { ...call.json(), id: randomUUID(), token: api.token } }),
    'GET /projects': (call) => list(api.projects, call),
    'GET /projects/ID': (_call, id) => ok(api.projects.find((one) => one.id === id)),
    'GET /projects/ID/tests': (call) => list(targets('tests', call), call),
    'GET /projects/ID/suites': (call) => list(targets('suites', call), call),
    'GET /projects/ID/profiles': (call) => list([{ id: project.id, name: 'Staging', isDefault: false }], call),
    'GET /projects/ID/runs': (call) => list([...api.runs.values()].map(viewed), call),
    'GET /projects/ID/export': () => ok('project: Demo shop\n'),
    'GET /projects/ID/webhook-tokens': (call) => list([webhookToken], call),
    'POST /projects/ID/webhook-tokens/rotate': () => ({ status: 201, body: { ...webhookToken, number: 2 } }),
    'POST /projects/ID/webhook-tokens/2/revoke': () => ok({ ...webhookToken, number: 2 }),
    'GET /projects/ID/tokens': (call) => list([apiToken], call),
    'POST /projects/ID/tokens': (call) => ({ status: 201, body: { ...apiToken, ...call.json(), token: api.token } }),
    'DELETE /projects/ID/tokens/ID': () => ({ status: 204 }),
    'DELETE /projects/ID/members/me': () => ({ status: 204 }),
    'GET /tests/ID': targetOf('tests'),
    'GET /suites/ID': targetOf('suites'),
    'POST /testruns': startOf('test'),
    'POST /suiteruns': startOf('suite'),
    'GET /testruns/ID': runOf('test', (run) => ok(viewed(run))),
    'GET /testruns/ID/status': runOf('test', (run) => ok(viewed(looked(run)))),
    'GET /suiteruns/ID': runOf('suite', (run) => ok(viewed(looked(run)))),
    'GET /suiteruns/ID/status': runOf('suite', (run) => ok(viewed(looked(run)))),
    'GET /suiteruns/ID/testruns': runOf('suite', (run, call) => list(run.testRuns.map(viewed), call)),
    'GET /testruns/ID/logs': runOf('test', logOf),
    'POST /testruns/ID/stop': runOf('test', stopped),
    'POST /suiteruns/ID/stop': runOf('suite', stopped),
    'POST /testruns/ID/rerun': runOf('test', ({ name }) => ({ status: 201, body: viewed(started('test', name)) })),
    'POST /suiteruns/ID/rerun-failed': runOf('suite', ({ name }) => ({
      status: 201,
      body: viewed(started('suite', name)),
    })),
    'POST /import': ({ query }) =>
      ok({
        projectId: project.id,
        name: project.name,
        dryRun: query.get('dryRun') === 'true',
        changes: [
          { kind: 'test', id: project.id, name: 'New', change: 'create' },
          { kind: 'test', id: project.id, name: 'Old', change: 'archive' },
          { kind: 'suite', id: project.id, name: 'Smoke', change: 'update', fields: ['tests'] },
        ],
        unchanged: 4,
      }),
  };
  const webhookToken = {
    number: 1,
    token: newToken('webhook'),
    createdAt: '2026-08-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    testUrl: 'http://127.0.0.1/webhooks/x/tests/run/<TEST_ID>',
    suiteUrl: 'http://127.0.0.1/webhooks/x/suites/run/<SUITE_ID>',
  };
  const apiToken = {
    id: randomUUID(),
    name: 'CI',
    scopes: ['run'],
    createdAt: '2026-08-01T00:00:00.000Z',
    expiresAt: '2026-08-02T00:00:00.000Z',
    revokedAt: null,
    lastUsedAt: null,
  };

  await api.start();
  return api;
}

function problem(status: number) {
  return {
    statusCode: status,
    error: 'Error',
    message: `Refused with ${status}.`,
    code: `code_${status}`,
    requestId: 'r-1',
  };
}

function end(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
