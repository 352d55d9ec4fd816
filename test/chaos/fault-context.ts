import type { Load } from './load.js';
import type { Member } from './member.js';
import type { PlannedFault } from './plan.js';
import type { Recorder } from './recorder.js';
import type { System } from './system.js';
import type { MemberName } from './topology.js';

/** What a fault needs to strike. */
export interface FaultContext {
  fault: PlannedFault;
  system: System;
  load: Load;
  recorder: Recorder;
  /** To be called when it has struck. */
  fired(detail?: string): void;
}

/** The process that is the fault's target. */
export function targetOf({ system, fault }: FaultContext): Member {
  return system.members[fault.target as MemberName];
}
