import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { collectionsOf, type Collections } from '../../src/db/collections.js';
import { freePort } from '../../src/dev/ports.js';
import { startChild } from '../../src/dev/processes/child.js';
import { waitUntil } from '../../src/dev/processes/wait-until.js';
import { startMongodb } from '../../src/dev/servers/run-mongodb.js';
import { startTemporal } from '../../src/dev/servers/run-temporal.js';
import { importProject, type ImportedProject } from '../../src/services/import-project.js';
import { setUp } from '../../src/services/set-up.js';
import { startLink, type Link } from './link.js';
import { createMember, type Member, type Outage } from './member.js';
import { LINKS, SERVERS, STORES, WORKERS, type MemberName } from './topology.js';

const PROGRAMS = fileURLToPath(new URL('../../dist/src/bin/', import.meta.url));
/** A start may have to wait for another fault's healing. */
const READY_MS = 90_000;
const quiet = () => {};

/** Real processes with their own data, every link between them through a proxy. */
export interface System {
  folder: string;
  members: Record<MemberName, Member>;
  link(name: string): Link;
  /** When which member or caller's link did not serve. */
  outages: Outage[];
  /** Processes that ended although nobody wanted them to. */
  crashes: string[];
  project: ImportedProject;
  /** Of our own, past the proxies. */
  collections: Collections;
  temporal: Client;
  mongodbUrl: string;
  stop(): Promise<void>;
  /** Removes data and logs. */
  remove(): Promise<void>;
}

/** @param projectFile YAML */
export async function startSystem(projectFile: string): Promise<System> {
  const folder = await mkdtemp(join(tmpdir(), 'runhook-chaos-'));
  const log = (name: string) => join(folder, 'logs', `${name}.log`);
  const ports = { mongodb: await freePort(), temporal: await freePort(), temporalUi: await freePort() };
  const serverPorts = { 'server-1': await freePort(), 'server-2': await freePort() };
  const outages: Outage[] = [];
  const crashes: string[] = [];
  const links = new Map<string, Link>();
  for (const name of LINKS) {
    const far = name.split('→')[1] as keyof typeof serverPorts | (typeof STORES)[number];
    links.set(name, await startLink(name, { ...ports, ...serverPorts }[far]));
  }
  const link = (name: string) => links.get(name) ?? never(`there is no link ${name}`);
  const member = (name: MemberName, launch: Parameters<typeof createMember>[1]) =>
    createMember(name, launch, outages, (how) => crashes.push(`${name} ended by itself: ${how}`));

  const program = (name: MemberName, file: string, readyLine: string, env: Record<string, string>) =>
    member(name, async () => {
      const stores = {
        MONGODB_URL: `mongodb://127.0.0.1:${link(`${name}→mongodb`).port}/runhook`,
        TEMPORAL_ADDRESS: `127.0.0.1:${link(`${name}→temporal`).port}`,
      };
      const child = await startChild({
        name,
        command: process.execPath,
        args: [join(PROGRAMS, file)],
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...stores, ...env },
        logFile: log(name),
      });
      const ready = { timeoutMs: READY_MS, ended: child.exited };
      await waitUntil(`${name} is ready`, () => child.output().includes(readyLine), ready);
      return { child };
    });
  const server = async (name: (typeof SERVERS)[number]) =>
    program(name, 'server.js', '"server ready"', {
      RUNHOOK_PORT: String(serverPorts[name]),
      RUNHOOK_OPS_PORT: String(await freePort()),
    });
  const worker = (name: (typeof WORKERS)[number]) =>
    program(name, 'worker.js', '"worker ready"', { RUNHOOK_SLOTS: '4', RUNHOOK_SHUTDOWN_GRACE_SECONDS: '2' });

  const members: Record<MemberName, Member> = {
    mongodb: member('mongodb', () =>
      startMongodb({ dataDir: join(folder, 'mongodb'), port: ports.mongodb, logFile: log('mongodb'), log: quiet }),
    ),
    temporal: member('temporal', () =>
      startTemporal({
        dataFile: join(folder, 'temporal.sqlite'),
        port: ports.temporal,
        uiPort: ports.temporalUi,
        logFile: log('temporal'),
        log: quiet,
      }),
    ),
    'server-1': await server('server-1'),
    'server-2': await server('server-2'),
    'worker-1': worker('worker-1'),
    'worker-2': worker('worker-2'),
  };
  await Promise.all(STORES.map((name) => members[name].start()));

  const mongodbUrl = `mongodb://127.0.0.1:${ports.mongodb}/runhook`;
  const mongo = await new MongoClient(mongodbUrl, { serverSelectionTimeoutMS: 2000, socketTimeoutMS: 5000 }).connect();
  const collections = collectionsOf(mongo.db());
  const connection = await Connection.connect({ address: `127.0.0.1:${ports.temporal}` });
  const temporal = new Client({ connection });
  await setUp({ collections, temporal: { client: temporal, connection, namespace: 'default' } });
  const file = join(folder, 'project.yaml');
  await writeFile(file, projectFile);
  const project = await importProject({ collections, secretKeys: [randomBytes(32)] }, file);
  await Promise.all([...SERVERS, ...WORKERS].map((name) => members[name].start()));

  return {
    folder,
    members,
    link,
    outages,
    crashes,
    project,
    collections,
    temporal,
    mongodbUrl,
    async stop() {
      // Workers in good order, so that they end their tests.
      await Promise.all(WORKERS.map((name) => members[name].terminate()));
      await Promise.all([mongo.close(), connection.close()]);
      await Promise.all([...SERVERS, ...STORES].map((name) => members[name].kill()));
      await Promise.all([...links.values()].map((one) => one.close()));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function never(what: string): never {
  throw new Error(what);
}
