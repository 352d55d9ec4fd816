import { setTimeout as sleep } from 'node:timers/promises';
import { targetOf, type FaultContext } from './fault-context.js';
import type { FaultName } from './fault-kinds.js';
import type { Link } from '#test/chaos/system/link.js';
import { killedAt, killedInTest } from './points.js';
import { SERVERS, WORKERS, type MemberName } from '#test/chaos/system/topology.js';
import { TRAPS } from './traps.js';

/** Strikes, lasts for its duration, and always heals. @throws Error if it could not strike or heal */
type Strike = (context: FaultContext) => Promise<void>;

/** How each kind of fault is injected. */
export const STRIKES: Record<FaultName, Strike> = {
  'kill-server': killed,
  'kill-server-before-insert': (context) => killedAt(context, 'mongodb', TRAPS.beforeInsert),
  'kill-server-after-insert': (context) => killedAt(context, 'mongodb', TRAPS.afterInsert),
  'kill-server-before-start': (context) => killedAt(context, 'temporal', TRAPS.beforeStart),
  'kill-server-after-start': (context) => killedAt(context, 'temporal', TRAPS.afterStart),
  'kill-server-before-answer': (context) => killedAt(context, 'caller', TRAPS.beforeAnswer),
  'freeze-server': frozen,
  'kill-worker-in-test': killedInTest,
  'kill-worker-before-verdict': (context) => killedAt(context, 'mongodb', TRAPS.beforeVerdict),
  'freeze-worker': frozen,
  'kill-all-workers': allWorkersKilled,
  'kill-temporal': killed,
  'freeze-temporal': frozen,
  'kill-mongodb': killed,
  'freeze-mongodb': frozen,
  'delay-link': (context) => linkBroken(context, (link) => link.delay(context.fault.delayMs)),
  'cut-link': (context) => linkBroken(context, (link) => link.cut()),
  'black-hole-link': (context) => linkBroken(context, (link) => link.blackHole()),
  'deploy-servers': (context) => deployed(context, SERVERS),
  'deploy-workers': (context) => deployed(context, WORKERS),
};

async function killed(context: FaultContext): Promise<void> {
  const member = targetOf(context);
  const gone = member.kill();
  if (member.name === 'mongodb') context.recorder.databaseKilled();
  await gone;
  context.fired();
  await sleep(context.fault.lengthMs);
  await member.start();
}

async function frozen(context: FaultContext): Promise<void> {
  const member = targetOf(context);
  member.freeze();
  context.fired();
  await sleep(context.fault.lengthMs);
  member.thaw();
}

async function allWorkersKilled(context: FaultContext): Promise<void> {
  const members = WORKERS.map((name) => context.system.members[name]);
  await Promise.all(members.map((member) => member.kill()));
  context.fired();
  await sleep(context.fault.lengthMs);
  await Promise.all(members.map((member) => member.start()));
}

async function linkBroken({ system, fault, fired }: FaultContext, breakIt: (link: Link) => void): Promise<void> {
  const link = system.link(fault.target);
  const [near, far] = fault.target.split('→') as [string, string];
  const outage = { name: far, from: Date.now() };
  if (near === 'caller') system.outages.push(outage);
  breakIt(link);
  fired(fault.kind === 'delay-link' ? `${fault.delayMs} ms each way` : undefined);
  await sleep(fault.lengthMs);
  link.heal();
  Object.assign(outage, { to: Date.now() });
}

/** A rolling restart: one at a time, each with a graceful shutdown. */
async function deployed({ system, fired }: FaultContext, names: readonly MemberName[]): Promise<void> {
  for (const name of names) {
    const member = system.members[name];
    const ending = member.terminate();
    fired();
    const how = await ending;
    await member.start();
    if (how !== 'exit code 0') throw new Error(`${name} was stopped and exited with ${how}`);
  }
}
