import { importConfig, setUpConfig } from '#src/config.js';
import { runSetUp, startServer, startWorker } from './app-processes.js';
import type { StartOptions } from './args.js';
import { choosePort, planMongodb, planTemporal, type Database, type TemporalDatabase } from './databases.js';
import { appEnvironment, markedEnvironment, type Addresses } from './environment.js';
import { stackPaths } from './paths.js';
import type { Log } from './log.js';
import { secretKey } from './secret-key.js';
import type { KnownAdmin } from './credentials-file.js';
import { seed, type Seeded, type SeededProject } from './seed-demo.js';
import { chooseAdmin } from './seed-people.js';
import { removeStackFile, writeStackFile, type StackInfo } from './stack-file.js';
import { testFolders } from './test-folders.js';
import { supervise, type Service, type Supervised } from './supervise.js';

const PORT = 4000;

type Name = 'temporal' | 'mongodb' | 'server' | 'worker';

/** The local stack: databases, server and worker, each supervised. `stack.json` exists only while all of them are ready. */
export class Stack {
  private readonly paths;
  private readonly appsSignal = new AbortController();
  private readonly databasesSignal = new AbortController();
  private readonly begun = new Map<Name, Promise<Supervised>>();
  private readonly running = new Map<Name, Supervised>();
  private info: Omit<StackInfo, 'pids'> | undefined;

  constructor(
    private readonly options: StartOptions,
    private readonly env: NodeJS.ProcessEnv,
    private readonly log: Log,
  ) {
    this.paths = stackPaths(options.dataDir);
  }

  /**
   * Starts everything and waits until it is ready.
   * @throws the reason of a failed start; `stop` must be called even then
   */
  async start(): Promise<{
    temporal: TemporalDatabase;
    mongodb: Database;
    baseUrl: string;
    projects: SeededProject[];
    admin?: KnownAdmin;
  }> {
    const { env, log, paths } = this;
    const { dataDir } = this.options;
    const childEnv = markedEnvironment(env, dataDir);
    const temporal = await planTemporal({ env, childEnv, paths, log });
    const mongodb = await planMongodb({ env, childEnv, paths, log });
    const addresses = await this.chooseAddresses(temporal, mongodb);
    await Promise.all([this.startDatabase('temporal', temporal), this.startDatabase('mongodb', mongodb)]);

    const appEnv = {
      ...appEnvironment(env, dataDir, addresses, {
        temporal: Boolean(temporal.service),
        mongodb: Boolean(mongodb.service),
      }),
      RUNHOOK_SECRET_KEYS: env.RUNHOOK_SECRET_KEYS ?? secretKey(paths.secretKey),
    };
    const appOptions = { env: appEnv, logs: paths.logs };
    const admin = chooseAdmin(paths.credentials, setUpConfig({ ...env, MONGODB_URL: addresses.mongodbUrl }).admin);
    await runSetUp({
      logs: paths.logs,
      env: { ...appEnv, RUNHOOK_ADMIN_EMAIL: admin.email, RUNHOOK_ADMIN_PASSWORD: admin.password },
      signal: this.appsSignal.signal,
    });
    const { secretKeys } = importConfig(appEnv);
    const { mongodbUrl: at } = addresses;
    const files = this.options.projects;
    const seeded = await seed({ mongodbUrl: at, secretKeys, files, credentialsFile: paths.credentials, admin });

    const workerEnv = {
      ...appEnv,
      RUNHOOK_TEST_FOLDERS: testFolders(env.RUNHOOK_TEST_FOLDERS, { file: paths.testFolders, projectFiles: files }),
    };
    const opsUrl = `http://127.0.0.1:${addresses.opsPort}`;
    await Promise.all([
      this.startApp('server', { name: 'Server', start: (signal) => startServer({ ...appOptions, signal }, opsUrl) }),
      this.startApp('worker', {
        name: 'Worker',
        start: (signal) => startWorker({ ...appOptions, env: workerEnv, signal }),
      }),
    ]);
    const { baseUrl, temporalAddress, temporalNamespace, temporalUiUrl, mongodbUrl } = addresses;
    const urls = {
      baseUrl,
      opsUrl,
      temporalAddress,
      temporalNamespace,
      temporalUiUrl,
      temporalCli: temporal.cli,
      mongodbUrl,
    };
    this.info = { ...urls, ...entriesOf(seeded) };
    this.noteState();
    const projects = [seeded.demo, ...seeded.projects];
    return { temporal, mongodb, baseUrl, projects, admin: seeded.admin };
  }

  /** Restarts server and worker after a code change. */
  async restartApps(): Promise<void> {
    await Promise.all([this.running.get('server')?.restart(), this.running.get('worker')?.restart()]);
  }

  /** Stops server and worker, then the databases; also during the start. */
  async stop(): Promise<void> {
    this.info = undefined;
    removeStackFile(this.paths.stackFile);
    this.appsSignal.abort(new Error('The stack is stopping.'));
    await this.ended('server', 'worker');
    this.databasesSignal.abort(new Error('The stack is stopping.'));
    await this.ended('temporal', 'mongodb');
  }

  private async ended(...names: Name[]): Promise<void> {
    for (const name of names) {
      // If the first start failed or was stopped, the process has exited when the promise is rejected.
      const supervised = await this.begun.get(name)?.catch(() => undefined);
      await supervised?.ended;
    }
  }

  private async chooseAddresses(temporal: TemporalDatabase, mongodb: Database): Promise<Addresses> {
    const { env, log } = this;
    const preferred = this.options.port ?? (Number(env.RUNHOOK_PORT) || PORT);
    const port = await choosePort('the web app', preferred, log);
    return {
      port,
      opsPort: await choosePort('the operations listener', Number(env.RUNHOOK_OPS_PORT) || preferred + 1, log),
      baseUrl: env.RUNHOOK_PUBLIC_URL?.replace(/\/+$/, '') ?? `http://127.0.0.1:${port}`,
      temporalAddress: temporal.address,
      temporalNamespace: (temporal.service ? undefined : env.TEMPORAL_NAMESPACE) ?? 'default',
      temporalUiUrl: temporal.uiUrl,
      mongodbUrl: mongodb.address,
    };
  }

  private async startDatabase(name: Name, { service }: Database): Promise<void> {
    if (service) await this.keep(name, service, this.databasesSignal.signal);
  }

  private async startApp(name: Name, service: Service): Promise<void> {
    await this.keep(name, service, this.appsSignal.signal);
  }

  private async keep(name: Name, service: Service, signal: AbortSignal): Promise<void> {
    const onChange = () => this.noteState();
    const begun = supervise(service, { signal, log: this.log, onChange });
    this.begun.set(name, begun);
    this.running.set(name, await begun);
  }

  private noteState(): void {
    if (!this.info) return;
    const pids = Object.fromEntries([...this.running].map(([name, { current }]) => [name, current()?.pid]));
    if (Object.values(pids).includes(undefined)) removeStackFile(this.paths.stackFile);
    else writeStackFile(this.paths.stackFile, { ...this.info, pids: pids as StackInfo['pids'] });
  }
}

function entriesOf({ demo, projects, admin }: Seeded): Pick<StackInfo, 'admin' | 'demo' | 'projects'> {
  const entry = ({ name: _name, ...rest }: SeededProject) => rest;
  return {
    admin,
    demo: entry(demo),
    projects: Object.fromEntries(projects.map((project) => [project.name, entry(project)])),
  };
}
