import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { StatusCounts } from '#src/domain/runs/run-status.js';
import type { Arrival, TestEnd, Turn } from './messages.js';

/** Signals between workflows, and queries for operators. */

/** To a test's run: report your end to the workflow with this ID; the suite that started you continues as new. */
export const reportTo = defineSignal<[workflowId: string]>('reportTo');

/** To a suite run, from a test that reports its end by signal. */
export const testEnded = defineSignal<[TestEnd]>('testEnded');

/** To a suite run: the decision of the suite's line. */
export const turn = defineSignal<[Turn]>('turn');

/** To a suite's line: a run requests its turn. */
export const arrived = defineSignal<[Arrival]>('arrived');

/** To a suite's line: a run is over. */
export const left = defineSignal<[runId: string]>('left');

/** How many tests of a suite's run have each status. */
export const progress = defineQuery<StatusCounts>('progress');
