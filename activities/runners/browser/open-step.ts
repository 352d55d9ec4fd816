import type { StepReport } from '#src/domain/runs/run-step.js';
import type { Attempt } from '#activities/runners/runner.js';

const MARKS = { passed: '✓', failed: '✗', skipped: '–' };

/** A step in progress. */
export interface OpenStep {
  /** May change while the step runs, when variables are substituted or a condition was checked. */
  title: string;
  /** Writes the step to the record and the log. @param details lines to show below the step */
  end(how: Pick<StepReport, 'status'> & Partial<StepReport>, details: string[]): Promise<void>;
}

/** Starts a step. @param number from 1 @param depth number of enclosing steps */
export function startStep({ steps, log }: Pick<Attempt, 'steps' | 'log'>, number: number, depth: number): OpenStep {
  const startedAt = new Date();
  const start = performance.now();
  const indent = '  '.repeat(depth);
  const step: OpenStep = {
    title: '',
    async end(how, lines) {
      const { title } = step;
      const durationMs = Math.round(performance.now() - start);
      await steps.write({
        number,
        depth,
        title,
        startedAt,
        durationMs,
        ...how,
        ...(lines.length > 0 ? { details: lines } : {}),
      });
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
