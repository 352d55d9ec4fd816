import type { TestRun } from '../../domain/run.js';
import type { RunStep } from '../../domain/run-step.js';
import type { ShownArtifact } from './artifacts.js';
import { stepId, StepPicture } from './steps.js';

export interface FailureProps {
  run: TestRun;
  /** Of its last attempt. */
  steps: readonly RunStep[];
  artifacts: readonly ShownArtifact[];
}

/** Why a test did not pass, in a person's words; with the picture of the step that failed, where there is one. */
export function Failure({ run, steps, artifacts }: FailureProps) {
  if (run.status !== 'failed' && run.status !== 'error') return null;
  // That of an error is told with its code.
  const message = run.status === 'failed' ? run.attempts.at(-1)?.verdict?.errorMessage : undefined;
  const step = failingStep(steps);
  if (message === undefined && !step) return null;
  return (
    <div class="notice bad failure">
      <div>
        {step ? (
          <p>
            <strong>
              Step {step.number} failed: {step.title}
            </strong>
          </p>
        ) : null}
        <p class="text">{message ?? step?.message}</p>
        {step ? (
          <p>
            <a href={`#${stepId(step)}`}>Go to the failing step</a>
          </p>
        ) : null}
      </div>
      {step ? <StepPicture step={step} artifacts={artifacts} /> : null}
    </div>
  );
}

/** The innermost of those that failed: the groups around it fail with it. Later ones may be optional. */
function failingStep(steps: readonly RunStep[]): RunStep | undefined {
  const failed = steps.filter(({ status }) => status === 'failed');
  const deepest = Math.max(...failed.map(({ depth }) => depth));
  return failed.findLast(({ depth }) => depth === deepest);
}
