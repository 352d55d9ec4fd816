import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { freePort } from '#tools/stack/ports.js';
import { importProject, type ImportedProject } from '#src/services/projects/import-project.js';
import { setUp } from '#src/services/instance/set-up.js';
import { startLink, type Link } from './link.js';
import type { Member, Outage } from './member.js';
import { createMembers } from './members.js';
import { LINKS, SERVERS, STORES, WORKERS, type MemberName } from './topology.js';

/** Real processes with their own data; every link between them has a proxy. */
export interface System {
  folder: string;
  members: Record<MemberName, Member>;
  link(name: string): Link;
  /** Periods during which each member or caller's link was down. */
  outages: Outage[];
  /** Processes that exited unexpectedly. */
  crashes: string[];
  project: ImportedProject;
  /** Direct connections, not through the proxies. */
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
  const ports = {
    mongodb: await freePort(),
    temporal: await freePort(),
    'server-1': await freePort(),
    'server-2': await freePort(),
  };
  const otherPorts = { temporalUi: await freePort(), 'server-1': await freePort(), 'server-2': await freePort() };
  const outages: Outage[] = [];
  const crashes: string[] = [];
  const links = new Map<string, Link>();
  for (const name of LINKS) {
    const [, far] = name.split('→') as [string, keyof typeof ports];
    links.set(name, await startLink(name, ports[far]));
  }
  const link = (name: string): Link => {
    const found = links.get(name);
    if (!found) throw new Error(`There is no link ${name}`);
    return found;
  };
  const linkPort = (program: string, store: string) => link(`${program}→${store}`).port;
  const secretKey = randomBytes(32);
  const members = await createMembers({
    folder,
    ports,
    otherPorts,
    secretKey: secretKey.toString('base64'),
    linkPort,
    outages,
    crashes,
  });
  const start = (names: readonly MemberName[]) => Promise.all(names.map((name) => members[name].start()));

  await start(STORES);
  const mongodbUrl = `mongodb://127.0.0.1:${ports.mongodb}/runhook`;
  const mongo = await new MongoClient(mongodbUrl, {
    ignoreUndefined: true,
    serverSelectionTimeoutMS: 2000,
    socketTimeoutMS: 5000,
  }).connect();
  const collections = collectionsOf(mongo.db());
  const connection = await Connection.connect({ address: `127.0.0.1:${ports.temporal}` });
  const temporal = new Client({ connection });
  await setUp({ collections, temporal: { client: temporal, connection, namespace: 'default' } });
  const file = join(folder, 'project.yaml');
  await writeFile(file, projectFile);
  const project = await importProject({ collections, secretKeys: [secretKey], clock: { now: () => new Date() } }, file);
  await start([...SERVERS, ...WORKERS]);

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
      // Workers gracefully, so that they end their tests.
      await Promise.all(WORKERS.map((name) => members[name].terminate()));
      await Promise.all([mongo.close(), connection.close()]);
      await Promise.all([...SERVERS, ...STORES].map((name) => members[name].kill()));
      await Promise.all([...links.values()].map((one) => one.close()));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
