import type { TestRun } from '#src/domain/runs/run.js';
import type { RunStep } from '#src/domain/runs/run-step.js';
import type { ShownArtifact } from './artifacts.js';
import { stepId, StepPicture } from './steps.js';

interface FailureProps {
  run: TestRun;
  /** Of its last attempt. */
  steps: readonly RunStep[];
  artifacts: readonly ShownArtifact[];
}

/** Why a test did not pass, in a person's words; with the picture of the step that failed, where there is one. */
export function Failure({ run, steps, artifacts }: FailureProps) {
  if (run.status !== 'failed' && run.status !== 'error') return null;
  // The message of an error is shown with its code.
  const message = run.status === 'failed' ? run.attempts.at(-1)?.verdict?.errorMessage : undefined;
  const step = failingStep(steps);
  if (message === undefined && !step) return null;
  return (
    <div class="notice bad failure">
      <div>
        <p class="text">{message ?? `Step ${step!.number} failed: ${step!.title}`}</p>
        {step ? (
          <p>
            <a href={`#${stepId(step)}`}>Go to the failed step</a>
          </p>
        ) : null}
      </div>
      {step ? <StepPicture step={step} artifacts={artifacts} /> : null}
    </div>
  );
}

/** The last of those that failed: steps in steps have higher numbers than these, and nothing comes behind the one that ended the test. */
function failingStep(steps: readonly RunStep[]): RunStep | undefined {
  return steps.findLast(({ status }) => status === 'failed');
}
