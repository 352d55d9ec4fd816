import type { AttemptRecord, TestRun } from './run.js';
import type { CaseCounts } from './test-case.js';

type Attempts = Pick<TestRun, 'attempts'>;
export type AttemptWithCases = AttemptRecord & { verdict: { cases: CaseCounts } };

/** The attempts of a run with test cases, in order. */
export function attemptsWithCases({ attempts }: Attempts): AttemptWithCases[] {
  return attempts.filter((one): one is AttemptWithCases => one.verdict?.cases !== undefined);
}

/** The case counts of the last attempt with a verdict. */
export function casesOf({
  attempts,
}: {
  attempts?: readonly { verdict?: { cases?: CaseCounts } }[];
}): CaseCounts | undefined {
  return attempts?.findLast(({ verdict }) => verdict)?.verdict?.cases;
}
