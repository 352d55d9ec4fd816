import type { Evidence, Violation } from '#test/chaos/evidence.js';
import { validateResponses, checkIds } from './answers.js';
import { checkHistories } from './histories.js';
import { checkFaults, checkProcesses } from './processes.js';
import { checkAccepted, checkTerminal, checkVerdicts } from './records.js';
import { checkQueues, checkSuites } from './suites.js';
import { checkWorkflows } from './workflows.js';

/** What must hold once everything is healed and idle. */
export const INVARIANTS: readonly ((evidence: Evidence) => Violation[])[] = [
  checkFaults,
  validateResponses,
  checkIds,
  checkAccepted,
  checkTerminal,
  checkVerdicts,
  checkSuites,
  checkQueues,
  checkHistories,
  checkWorkflows,
  checkProcesses,
];

export function checkInvariants(evidence: Evidence): Violation[] {
  return INVARIANTS.flatMap((check) => check(evidence));
}
