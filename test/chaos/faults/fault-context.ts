import type { Load } from '#test/chaos/load/load.js';
import type { Member } from '#test/chaos/system/member.js';
import type { PlannedFault } from '#test/chaos/plan.js';
import type { Recorder } from '#test/chaos/load/recorder.js';
import type { System } from '#test/chaos/system/system.js';
import type { MemberName } from '#test/chaos/system/topology.js';

/** The context that a fault needs to strike. */
export interface FaultContext {
  fault: PlannedFault;
  system: System;
  load: Load;
  recorder: Recorder;
  /** To be called when the fault has struck. */
  fired(detail?: string): void;
}

/** The process that is the fault's target. */
export function targetOf({ system, fault }: FaultContext): Member {
  return system.members[fault.target as MemberName];
}
