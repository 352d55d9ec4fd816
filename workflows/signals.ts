import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { StatusCounts } from '../src/domain/run-status.js';
import type { Arrival, TestEnd, Turn } from './messages.js';

/** What workflows tell each other, and what operators can ask. */

/** To a test's run: report your end to the workflow with this ID; the suite that started you continues as new. */
export const reportTo = defineSignal<[workflowId: string]>('reportTo');

/** To a suite's run, from a test that was told to report. */
export const testEnded = defineSignal<[TestEnd]>('testEnded');

/** To a suite's run: what its suite's line decided. */
export const turn = defineSignal<[Turn]>('turn');

/** To a suite's line: a run asks for its turn. */
export const arrived = defineSignal<[Arrival]>('arrived');

/** To a suite's line: a run is over. */
export const left = defineSignal<[runId: string]>('left');

/** How many tests of a suite's run have each status. */
export const progress = defineQuery<StatusCounts>('progress');
