import type { RunStep } from '#src/domain/runs/run-step.js';
import { formatMs } from '#src/web/texts/format.js';
import type { ShownArtifact } from './artifacts.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Status } from '#src/web/components/status.js';

/** Deeper ones are not moved in any further (runs.css). */
const DEEPEST = 5;

interface StepsProps {
  /** Of one attempt, in order. */
  steps: readonly RunStep[];
  /** The run's files: pictures are among them. */
  artifacts: readonly ShownArtifact[];
  /** Where there are several attempts: which one it is. */
  attempt?: number | undefined;
}

/** What an attempt did, step by step. */
export function Steps({ steps, artifacts, attempt }: StepsProps) {
  if (steps.length === 0) return null;
  const hasPictures = steps.some(({ screenshot }) => screenshot !== undefined);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">Steps{attempt === undefined ? '' : ` of attempt ${attempt}`}</h2>
      <DataTable
        class="steps"
        items={steps}
        row={(step) => ({ id: stepId(step), class: step.status })}
        columns={[
          {
            label: 'Step',
            cell: (step) => (
              <div class={`numbered depth-${Math.min(step.depth, DEEPEST)}`}>
                <span class="number">{step.number}</span>
                <div>
                  <StepWords {...step} />
                </div>
              </div>
            ),
          },
          { label: 'Status', cell: ({ status }) => <Status status={status} />, isUnlabeled: true },
          { label: 'Duration', cell: ({ status, durationMs }) => (status === 'skipped' ? '–' : formatMs(durationMs)) },
          hasPictures && {
            label: 'Picture',
            cell: (step) => <StepPicture step={step} artifacts={artifacts} />,
            class: 'picture',
            isUnlabeled: true,
          },
        ]}
      />
    </section>
  );
}

/** Of the step's row: the page leads to it. */
export function stepId({ number }: Pick<RunStep, 'number'>): string {
  return `step-${number}`;
}

function StepWords({ title, message, details = [], status }: RunStep) {
  return (
    <>
      {title}
      {message ? <p class="text">{message}</p> : null}
      {details.length > 0 ? (
        <details open={status === 'failed'}>
          <summary>Details</summary>
          <ul>
            {details.map((line) => (
              <li>{line}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

/** The page as the step left it, small; it opens large. */
export function StepPicture({ step, artifacts }: { step: RunStep; artifacts: readonly ShownArtifact[] }) {
  const picture = pictureOf(step, artifacts);
  if (!picture) return null;
  return (
    <a href={picture.href}>
      <img src={picture.href} alt={`The page after step ${step.number}`} loading="lazy" />
    </a>
  );
}

/** Its picture among the run's files. */
function pictureOf(
  { screenshot, attempt }: Pick<RunStep, 'screenshot' | 'attempt'>,
  artifacts: readonly ShownArtifact[],
): ShownArtifact | undefined {
  if (screenshot === undefined) return undefined;
  return artifacts.find(
    ({ name, isPicture, attempt: of }) => isPicture && name === screenshot && (of === undefined || of === attempt),
  );
}
