import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { createInstallationStore } from '#src/db/instance/installation-store.js';
import { freePort } from '#tools/stack/ports.js';
import { startMongodb, type RunningMongodb } from '#tools/stack/servers/run-mongodb.js';
import { startTemporal, type RunningTemporal } from '#tools/stack/servers/run-temporal.js';
import type { Run, RunAnswer, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import { importProject, type ImportedProject } from '#src/services/projects/import-project.js';
import { setUp } from '#src/services/instance/set-up.js';
import { workflowQueue } from '#workflows/messages.js';
import { eventually } from './eventually.js';
import { nodeProcess, type NodeProcess } from './processes/node-process.js';
import { addPerson, type TestPerson } from './people.js';

const quiet = () => {};

/** The whole system as real processes in a temporary folder, on free ports. */
export interface TestStack {
  baseUrl: string;
  opsUrl: string;
  collections: Collections;
  /** With access to every project and page. */
  admin: TestPerson;
  temporal: Client;
  /** Prefix of names in Temporal (see workflows/messages.ts). */
  queue: string;
  temporalAddress: string;
  temporalUiUrl: string;
  temporalServer(): RunningTemporal;
  server: NodeProcess;
  worker: NodeProcess;
  /** The worker's variables, to start more workers. */
  workerEnv: Record<string, string>;
  /** Pids of the servers, for signals. */
  pids(): { mongodb: number; temporal: number };
  /** Kills Temporal and starts it again with the same data once `whileDown` has resolved. */
  restartTemporal(whileDown: () => Promise<void>): Promise<void>;
  /** Kills Temporal and starts an empty one on the same port: no runs, no schedules, no search attributes. */
  loseTemporal(): Promise<void>;
  /** Kills MongoDB and starts it again with the data in its folder (see `mongodbFolder`) once `whileDown` has resolved. */
  restartMongodb(whileDown: () => Promise<void>): Promise<void>;
  mongodbFolder: string;
  /** Imports a project file given as text. */
  importText(yaml: string): Promise<ImportedProject>;
  importFile(path: string): Promise<ImportedProject>;
  /** Output of the servers and programs. */
  output(): string;
  folder: string;
  stop(): Promise<void>;
}

export interface StackOptions {
  /** Additional variables for the server. */
  serverEnv?: Record<string, string>;
  workerEnv?: Record<string, string>;
  /** Additional dynamic configuration of Temporal; values are JSON. */
  dynamicConfig?: Record<string, string>;
  /** Maps the database's connection string to that for server and worker, for example of a proxy. */
  mongodbUrlFor?: (url: string) => Promise<string>;
  /** Another stack whose Temporal this one uses; stop that one last. */
  temporalOf?: Pick<TestStack, 'temporalServer'>;
  /** false: does not start server and worker. */
  start?: boolean;
}

export async function startStack({
  serverEnv = {},
  workerEnv = {},
  dynamicConfig,
  mongodbUrlFor = async (url) => url,
  temporalOf,
  start = true,
}: StackOptions = {}): Promise<TestStack> {
  const folder = await mkdtemp(join(tmpdir(), 'runhook-e2e-'));
  const secretKeys = [randomBytes(32)];
  let mongodb = await startMongodb({ dataDir: join(folder, 'mongodb'), log: quiet });
  const temporalOptions = { dataFile: join(folder, 'temporal.sqlite'), dynamicConfig, log: quiet };
  const firstTemporal = temporalOf?.temporalServer() ?? (await startTemporal(temporalOptions));
  let temporalServer: RunningTemporal = firstTemporal;
  const [port, opsPort] = [await freePort(), await freePort()];
  const baseUrl = `http://127.0.0.1:${port}`;

  const mongo = await new MongoClient(mongodb.url, { ignoreUndefined: true }).connect();
  const collections = collectionsOf(mongo.db());
  const importDeps = { collections, secretKeys, clock: { now: () => new Date() } };
  const connection = await Connection.connect({ address: firstTemporal.address });
  const temporal = new Client({ connection });
  await setUp({ collections, temporal: { client: temporal, connection, namespace: 'default' } });

  const admin = await addPerson(collections, { isAdmin: true });
  const shared = {
    MONGODB_URL: await mongodbUrlFor(mongodb.url),
    TEMPORAL_ADDRESS: firstTemporal.address,
    RUNHOOK_SECRET_KEYS: secretKeys.map((key) => key.toString('base64')).join(','),
    // Tests wait until a worker is considered lost: 30 s with the margin.
    RUNHOOK_HEARTBEAT_SECONDS: '2',
    RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS: '20',
  };
  const server = nodeProcess('server.js', '"server ready"', {
    ...shared,
    RUNHOOK_PORT: String(port),
    RUNHOOK_OPS_PORT: String(opsPort),
    RUNHOOK_PUBLIC_URL: baseUrl,
    RUNHOOK_TEMPORAL_UI_URL: firstTemporal.uiUrl,
    RUNHOOK_DRAIN_SECONDS: '0',
    RUNHOOK_CHECK_ANSWERS: 'true',
    ...serverEnv,
  });
  const allWorkerEnv = {
    ...shared,
    RUNHOOK_SHUTDOWN_GRACE_SECONDS: '1',
    RUNHOOK_WORK_FOLDER: join(folder, 'work'),
    RUNHOOK_TEST_FOLDERS: '/',
    // Tests of this project write to folders beside their own.
    RUNHOOK_ISOLATION: 'none',
    ...workerEnv,
  };
  const worker = nodeProcess('worker.js', '"worker ready"', allWorkerEnv);
  async function stop(): Promise<void> {
    await Promise.all([server.kill('SIGTERM'), worker.kill('SIGTERM')]);
    await Promise.all([mongo.close(), connection.close()]);
    await Promise.all([stopServer(mongodb), ...(temporalOf ? [] : [stopServer(temporalServer)])]);
    await rm(folder, { recursive: true, force: true });
  }

  // A failed start must not leave processes, which would keep the test process alive.
  if (start)
    await Promise.all([server.start(), worker.start()]).catch(async (error: unknown) => {
      await stop();
      throw error;
    });

  let projectFiles = 0;
  return {
    baseUrl,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    collections,
    admin,
    temporal,
    queue: workflowQueue((await createInstallationStore(collections).find()).id),
    temporalAddress: firstTemporal.address,
    temporalUiUrl: firstTemporal.uiUrl,
    temporalServer: () => temporalServer,
    server,
    worker,
    workerEnv: allWorkerEnv,
    folder,
    pids: () => ({ mongodb: mongodb.pid, temporal: temporalServer.pid }),
    async restartTemporal(whileDown) {
      process.kill(temporalServer.pid, 'SIGKILL');
      await temporalServer.child.exited;
      await whileDown();
      const { port: samePort, uiPort, binary } = temporalServer;
      temporalServer = await startTemporal({ ...temporalOptions, port: samePort, uiPort, binary });
    },
    async loseTemporal() {
      process.kill(temporalServer.pid, 'SIGKILL');
      await temporalServer.child.exited;
      const dataFile = join(folder, 'temporal.sqlite');
      for (const end of ['', '-wal', '-shm']) await rm(`${dataFile}${end}`, { force: true });
      const { port: samePort, uiPort, binary } = temporalServer;
      temporalServer = await startTemporal({
        dataFile,
        port: samePort,
        uiPort,
        binary,
        searchAttributes: [],
        log: quiet,
      });
    },
    mongodbFolder: join(folder, 'mongodb'),
    async restartMongodb(whileDown) {
      process.kill(mongodb.pid, 'SIGKILL');
      await mongodb.child.exited;
      await whileDown();
      mongodb = await startMongodb({ dataDir: join(folder, 'mongodb'), port: mongodb.port, log: quiet });
    },
    async importText(yaml) {
      const file = join(folder, `project-${++projectFiles}.yaml`);
      await writeFile(file, yaml);
      return importProject(importDeps, file);
    },
    importFile: (path) => importProject(importDeps, path),
    output: () => [server.output, worker.output, mongodb.child.output(), temporalServer.child.output()].join('\n'),
    stop,
  };
}

/** Continues it first, because a test may have frozen it. */
async function stopServer(server: RunningMongodb | RunningTemporal): Promise<void> {
  try {
    process.kill(server.pid, 'SIGCONT');
  } catch {
    return;
  }
  await server.stop();
}

/** The webhook URL of one of the project's tests or suites. */
export function webhookUrl(stack: TestStack, project: ImportedProject, kind: 'tests' | 'suites', name: string): string {
  const id = project[kind][name];
  if (!id) throw new Error(`The project has no ${name} among its ${kind}`);
  return `${stack.baseUrl}/webhooks/${project.webhookToken}/${kind}/run/${id}`;
}

/** POSTs to a webhook. @throws Error when the response is not 200 */
export async function trigger(url: string, headers: Record<string, string> = {}): Promise<RunAnswer> {
  const response = await fetch(url, { method: 'POST', headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as RunAnswer;
}

/** A page of the server as shown to the admin. @throws Error when the response is not 200 */
export async function page({ admin }: TestStack, url: string): Promise<string> {
  const response = await fetch(url, { headers: { ...admin.sessionHeaders, accept: 'text/html' }, redirect: 'manual' });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return text;
}

/** An ended run: `attempts` for a test, `counts` for a suite. */
export type EndedRun = Omit<Run, 'kind' | 'definition'> & Pick<TestRun, 'attempts'> & Pick<SuiteRun, 'counts'>;

/** Waits until a run has ended. */
export async function endedRun(stack: TestStack, id: string, withinMs = 20_000): Promise<EndedRun> {
  return eventually(async () => {
    const run = await stack.collections.runs.findOne({ _id: id });
    return run && isTerminal(run.status) ? (run as unknown as EndedRun) : undefined;
  }, withinMs);
}

/** Waits until a run has this status. */
export async function runWithStatus(stack: TestStack, id: string, status: string, withinMs = 15_000): Promise<TestRun> {
  return eventually(async () => {
    const run = await stack.collections.runs.findOne({ _id: id });
    return run?.status === status ? (run as TestRun) : undefined;
  }, withinMs);
}
