import type { AttemptRecord, TestRun } from './run.js';
import type { CaseCounts } from './test-case.js';

type Attempts = Pick<TestRun, 'attempts'>;
export type AttemptWithCases = AttemptRecord & { verdict: { cases: CaseCounts } };

/** The attempts of a run whose results had cases, in order. */
export function attemptsWithCases({ attempts }: Attempts): AttemptWithCases[] {
  return attempts.filter((one): one is AttemptWithCases => one.verdict?.cases !== undefined);
}

/** How many cases of a run have each status: those of the last attempt with a verdict; undefined when it had none. */
export function casesOf({
  attempts,
}: {
  attempts?: readonly { verdict?: { cases?: CaseCounts } }[];
}): CaseCounts | undefined {
  return attempts?.findLast(({ verdict }) => verdict)?.verdict?.cases;
}
