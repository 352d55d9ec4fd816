import type { StepReport } from '#src/domain/runs/run-step.js';
import type { Attempt } from '#activities/runners/runner.js';

const MARKS = { passed: '✓', failed: '✗', skipped: '–' };

/** A step that is under way. */
export interface OpenStep {
  /** May still change: a variable's value, or an answer, stands in it. */
  title: string;
  /** Writes it into the record and the log. @param details lines that stand below it */
  end(how: Pick<StepReport, 'status'> & Partial<StepReport>, details: string[]): Promise<void>;
}

/** A step begins now. @param number from 1 @param depth 0, and one more for each step that it is in */
export function openStep({ steps, log }: Pick<Attempt, 'steps' | 'log'>, number: number, depth: number): OpenStep {
  const startedAt = new Date();
  const start = performance.now();
  const indent = '  '.repeat(depth);
  const step: OpenStep = {
    title: '',
    async end(how, lines) {
      const { title } = step;
      const durationMs = Math.round(performance.now() - start);
      const details = lines.length > 0 ? { details: lines } : {};
      await steps.write({ number, depth, title, startedAt, durationMs, ...how, ...details });
      const why = how.message === undefined ? '' : `: ${how.message}`;
      const below = lines.map((line) => `${indent}    ${line}\n`).join('');
      await log.write(
        how.status === 'failed' ? 'stderr' : 'stdout',
        `${indent}${MARKS[how.status]} ${number} ${title} (${durationMs} ms)${why}\n${below}`,
      );
    },
  };
  return step;
}
