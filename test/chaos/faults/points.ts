import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import { targetOf, type FaultContext } from './fault-context.js';
import type { Trap } from '#test/chaos/system/link.js';
import type { Load } from '#test/chaos/load/load.js';
import { SERVERS } from '#test/chaos/system/topology.js';
import { runIdIn, TRAPS } from './traps.js';

/** Maximum time until load reaches a fault point. */
const REACH_MS = 45_000;
const CALL_EVERY_MS = 1000;

/** Kills the target at the moment when the trap on its link springs. */
export async function killedAt(context: FaultContext, far: string, trap: Trap): Promise<void> {
  const { system, fault, load } = context;
  const member = targetOf(context);
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

/** Kills the target, a worker, while it runs a test that takes seconds. */
export async function killedInTest(context: FaultContext): Promise<void> {
  const { system, load, fault } = context;
  const member = targetOf(context);
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

/** Creates load until the fault point is reached. */
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
