import type { AttemptVerdict } from '#src/domain/runs/run.js';
import { casesIn, type CaseCounts } from '#src/domain/runs/test-case.js';
import type { Results } from './read-junit.js';

/** Adds results to a verdict: exit code 0 with failed cases is a failed test. */
export function withResults(
  verdict: AttemptVerdict,
  { counts, failed, notes }: Omit<Results, 'cases'>,
): AttemptVerdict {
  const withCases = {
    ...verdict,
    ...(casesIn(counts) > 0 ? { cases: counts } : {}),
    ...(notes.length > 0 ? { notes: [...(verdict.notes ?? []), ...notes] } : {}),
  };
  if (failed.length === 0 || (verdict.status !== 'passed' && verdict.status !== 'failed')) return withCases;
  const which = `${failuresText(counts, failed)}.`;
  if (verdict.status === 'passed')
    return {
      ...withCases,
      status: 'failed',
      errorMessage: `The command exited with code ${verdict.exitCode ?? 0}, but ${which}`,
    };
  return {
    ...withCases,
    errorMessage: verdict.errorMessage ? `${verdict.errorMessage} ${capital(which)}` : capital(which),
  };
}

/** `3 of 120 cases failed: Cart › adds, Cart › removes, Login › works` */
function failuresText(counts: CaseCounts, names: readonly string[]): string {
  const bad = counts.failed + counts.error;
  const all = casesIn(counts);
  const more = bad - names.length;
  return `${bad} of ${all} ${all === 1 ? 'case' : 'cases'} failed: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
