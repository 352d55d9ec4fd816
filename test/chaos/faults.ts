import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import type { FaultName } from './fault-kinds.js';
import type { Trap } from './link.js';
import type { Load } from './load.js';
import type { PlannedFault } from './plan.js';
import type { Recorder } from './recorder.js';
import type { System } from './system.js';
import { SERVERS, WORKERS, type MemberName } from './topology.js';
import { runIdIn, TRAPS } from './traps.js';

/** A point that load passes all the time is reached within this. */
const REACH_MS = 45_000;
const CALL_EVERY_MS = 1000;

export interface FaultContext {
  fault: PlannedFault;
  system: System;
  load: Load;
  recorder: Recorder;
  /** To be called when it has struck. */
  fired(detail?: string): void;
}

/** Strikes, lasts for its length, and heals, whatever happens. @throws Error when it could not strike or heal */
type Strike = (context: FaultContext) => Promise<void>;

/** How each kind of fault is made. */
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

const memberOf = ({ system, fault }: FaultContext) => system.members[fault.target as MemberName];

async function killed(context: FaultContext): Promise<void> {
  const member = memberOf(context);
  const gone = member.kill();
  if (member.name === 'mongodb') context.recorder.databaseKilled();
  await gone;
  context.fired();
  await sleep(context.fault.lengthMs);
  await member.start();
}

async function frozen(context: FaultContext): Promise<void> {
  const member = memberOf(context);
  member.freeze();
  context.fired();
  await sleep(context.fault.lengthMs);
  member.thaw();
}

/** Kills the target in the moment in which the trap springs on its link. */
async function killedAt(context: FaultContext, far: string, trap: Trap): Promise<void> {
  const { system, fault, load } = context;
  const member = memberOf(context);
  const link = system.link(far === 'caller' ? `caller→${fault.target}` : `${fault.target}→${far}`);
  let gone: Promise<void> | undefined;
  const disarm = link.arm(trap, (bytes, request) => {
    gone = member.kill();
    context.fired(`run ${runIdIn(trap === TRAPS.beforeAnswer ? bytes : request) ?? 'unknown'}`);
  });
  try {
    await reach(load, member.name, () => gone !== undefined || undefined);
  } finally {
    disarm();
  }
  await gone;
  await sleep(fault.lengthMs);
  await member.start();
}

/** Makes load until the point is reached. */
async function reach<T>(load: Load, member: string, reached: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const isServer = (SERVERS as readonly string[]).includes(member);
  const calls = setInterval(
    () => void load.call({ kind: 'tests', name: isServer ? 'Quick' : 'Long' }, isServer ? member : undefined),
    CALL_EVERY_MS,
  );
  try {
    return await eventually(reached, REACH_MS);
  } finally {
    clearInterval(calls);
  }
}

async function killedInTest(context: FaultContext): Promise<void> {
  const { system, load, fault } = context;
  const member = memberOf(context);
  const ofMember = { status: 'running' as const, 'attempts.worker': new RegExp(`:${member.pid}$`) };
  const run = await reach(load, member.name, async () => {
    const found = await system.collections.runs.findOne({ ...ofMember, targetName: /^Long/ });
    return found ?? undefined;
  });
  await member.kill();
  context.fired(`run ${run._id}`);
  await sleep(fault.lengthMs);
  await member.start();
}

async function allWorkersKilled(context: FaultContext): Promise<void> {
  const members = WORKERS.map((name) => context.system.members[name]);
  await Promise.all(members.map((member) => member.kill()));
  context.fired();
  await sleep(context.fault.lengthMs);
  await Promise.all(members.map((member) => member.start()));
}

async function linkBroken(
  { system, fault, fired }: FaultContext,
  breakIt: (link: ReturnType<System['link']>) => void,
): Promise<void> {
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

/** A rolling restart: one after the other, each with the time it takes. */
async function deployed({ system, fired }: FaultContext, names: readonly MemberName[]): Promise<void> {
  for (const name of names) {
    const member = system.members[name];
    const ending = member.terminate();
    fired();
    const how = await ending;
    await member.start();
    if (how !== 'exit code 0') throw new Error(`${name} was told to end and ended with ${how}`);
  }
}
