import { RUNNERS, type RunnerKind } from '#src/domain/targets/runner-types.js';
import { RUNNER_TEXTS } from '#src/web/texts/runner-texts.js';

/** The runner type of a new test: each links to the form with its fields. */
export function KindChoice({ chosen, path }: { chosen: RunnerKind; path: string }) {
  return (
    <nav aria-label="Kind of test">
      <ul class="kind-choice">
        {RUNNERS.map((runner) => (
          <li key={runner}>
            <a href={`${path}?runner=${runner}`} aria-current={runner === chosen ? 'page' : undefined}>
              <strong>{RUNNER_TEXTS[runner].name}</strong>
              <span>{RUNNER_TEXTS[runner].what}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
