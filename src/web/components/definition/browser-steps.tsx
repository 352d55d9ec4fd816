import { stepTitle } from '#src/domain/browser-test/step-title.js';
import type { BrowserSettings, BrowserStep } from '#src/domain/browser-test/browser-test.js';

/** The steps of a browser test, numbered, in plain words. */
export function BrowserSteps({ steps, groups = {} }: Pick<BrowserSettings, 'steps' | 'groups'>) {
  return (
    <div class="definition-steps">
      <StepList steps={steps} />
      {Object.entries(groups).map(([name, ofGroup]) => (
        <details>
          <summary>Group “{name}”</summary>
          <StepList steps={ofGroup} />
        </details>
      ))}
    </div>
  );
}

function StepList({ steps }: { steps: readonly BrowserStep[] }) {
  return (
    <ol>
      {steps.map((step) => (
        <li>
          {stepTitle(step)}
          {step.optional ? <span class="muted"> (the test goes on when it fails)</span> : null}
          {step.then ? <StepList steps={step.then} /> : null}
          {step.else ? (
            <>
              otherwise
              <StepList steps={step.else} />
            </>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
