import type { ImportedProject } from '#src/services/projects/import-project.js';
import type { Run } from '#src/domain/runs/run.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import type { FaultRecord } from './campaign.js';
import type { Call, Load } from './load/load.js';
import type { Outage } from './system/member.js';
import type { Histories, Recorder } from './load/recorder.js';
import type { System } from './system/system.js';

export interface WorkflowSeen {
  workflowId: string;
  runId: string;
  /** Temporal's name of the status. */
  status: string;
}

/** Everything that the invariants check. Plain data, so that tests can construct it. */
export interface Evidence {
  project: ImportedProject;
  calls: Call[];
  runs: Run[];
  histories: Histories;
  workflows: WorkflowSeen[];
  faults: FaultRecord[];
  outages: Outage[];
  crashes: string[];
  /** Ids of remaining processes of tests. */
  leftovers: number[];
}

/** A violated invariant. */
export interface Violation {
  rule: string;
  /** What is wrong, with the relevant evidence. */
  detail: string;
  runId?: string;
}

/** Workflows of runs, open and closed, with every execution of a chain. */
export async function listWorkflows({ temporal }: Pick<System, 'temporal'>): Promise<WorkflowSeen[]> {
  const seen: WorkflowSeen[] = [];
  for await (const found of temporal.workflow.list({ query: `WorkflowType IN ("testRun", "suiteRun")` }))
    seen.push({ workflowId: found.workflowId, runId: found.runId, status: found.status.name });
  return seen;
}

export async function gatherEvidence(
  system: System,
  load: Load,
  recorder: Recorder,
  faults: FaultRecord[],
  mark: string,
): Promise<Evidence> {
  return {
    project: system.project,
    calls: load.calls,
    runs: await system.collections.runs.find().toArray(),
    histories: recorder.histories,
    workflows: await listWorkflows(system),
    faults,
    outages: system.outages,
    crashes: system.crashes,
    leftovers: processesWith(mark),
  };
}
