import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild, type Child } from '#tools/stack/processes/child.js';
import { waitUntil } from '#tools/stack/processes/wait-until.js';
import { findMongodb } from '#tools/stack/servers/find-mongodb.js';
import { findTemporal } from '#tools/stack/servers/find-temporal.js';
import { startMongodb } from '#tools/stack/servers/run-mongodb.js';
import { startTemporal } from '#tools/stack/servers/run-temporal.js';
import { LONG_HISTORY } from '#test/chaos/load/known-runs.js';
import { createMember, type Member, type Outage } from './member.js';
import type { MemberName, StoreName, WorkerName, ServerName } from './topology.js';

const PROGRAMS = fileURLToPath(new URL('../../../dist/src/bin/', import.meta.url));
/** A start may have to wait until another fault is healed. */
const READY_MS = 90_000;

export interface MembersOptions {
  folder: string;
  ports: Record<StoreName | ServerName, number>;
  /** Listeners that nothing here uses: Temporal's UI and the servers' operations port. */
  otherPorts: Record<'temporalUi' | ServerName, number>;
  /** Format of RUNHOOK_SECRET_KEYS. */
  secretKey: string;
  /** Port of the proxy between a program and a store. */
  linkPort(program: string, store: StoreName): number;
  outages: Outage[];
  crashes: string[];
}

/** All processes of the system, not started yet. */
export async function createMembers(options: MembersOptions): Promise<Record<MemberName, Member>> {
  const { folder, ports, otherPorts, secretKey, linkPort, outages, crashes } = options;
  const logFile = (name: string) => join(folder, 'logs', `${name}.log`);
  const stores = await findStores();

  const member = (name: MemberName, launch: () => Promise<{ child: Child }>) =>
    createMember(name, launch, outages, (how) => crashes.push(`${name} ended by itself: ${how}`));

  const program = (name: ServerName | WorkerName, file: string, readyLine: string, env: Record<string, string>) =>
    member(name, async () => {
      const addresses = {
        // A lost worker is detected after 30 s, plus the margin.
        RUNHOOK_HEARTBEAT_SECONDS: '2',
        RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS: '20',
        MONGODB_URL: `mongodb://127.0.0.1:${linkPort(name, 'mongodb')}/runhook`,
        TEMPORAL_ADDRESS: `127.0.0.1:${linkPort(name, 'temporal')}`,
      };
      const child = await startChild({
        name,
        command: process.execPath,
        args: [join(PROGRAMS, file)],
        env: { PATH: process.env.PATH, HOME: process.env.HOME, RUNHOOK_SECRET_KEYS: secretKey, ...addresses, ...env },
        logFile: logFile(name),
      });
      const ready = { timeoutMs: READY_MS, ended: child.exited };
      await waitUntil(`${name} is ready`, () => child.output().includes(readyLine), ready);
      return { child };
    });
  const server = (name: ServerName) =>
    program(name, 'server.js', '"server ready"', {
      RUNHOOK_PORT: String(ports[name]),
      RUNHOOK_OPS_PORT: String(otherPorts[name]),
    });
  const worker = (name: WorkerName) =>
    program(name, 'worker.js', '"worker ready"', {
      RUNHOOK_SLOTS: '4',
      RUNHOOK_SHUTDOWN_GRACE_SECONDS: '2',
      RUNHOOK_TEST_FOLDERS: '/',
    });

  return {
    mongodb: member('mongodb', () =>
      startMongodb({
        dataDir: join(folder, 'mongodb'),
        port: ports.mongodb,
        found: stores.mongodb,
        logFile: logFile('mongodb'),
      }),
    ),
    temporal: member('temporal', () =>
      startTemporal({
        dataFile: join(folder, 'temporal.sqlite'),
        port: ports.temporal,
        uiPort: otherPorts.temporalUi,
        binary: stores.temporal,
        dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(LONG_HISTORY) },
        logFile: logFile('temporal'),
      }),
    ),
    'server-1': server('server-1'),
    'server-2': server('server-2'),
    'worker-1': worker('worker-1'),
    'worker-2': worker('worker-2'),
  };
}

/** Found once, because a restart must not try downloads again. */
async function findStores() {
  const quiet = () => {};
  const env = { ...process.env, MONGODB_URL: undefined, TEMPORAL_ADDRESS: undefined };
  const [mongodb, temporal] = await Promise.all([findMongodb(quiet, undefined, env), findTemporal(quiet, env)]);
  if (mongodb.kind === 'url' || temporal.kind === 'address') throw new Error('unreachable: no address was offered');
  return { mongodb, temporal: temporal.path };
}
