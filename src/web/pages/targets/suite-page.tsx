import type { SuiteDefinition } from '../../../domain/definitions.js';
import { Facts } from '../../components/facts.js';
import { formatCount, formatMs } from '../../format.js';
import type { SuiteEntry } from './suite-editor.js';
import { ON_FAILURE, OVERLAP, PRIORITY } from './suite-form.js';
import { TargetPage, type TargetPageProps } from './target-page.js';

export interface SuitePageProps extends TargetPageProps {
  definition: SuiteDefinition;
  /** Its tests in order: the first ones where there are many. */
  entries: readonly SuiteEntry[];
}

/** GET /suites/{id} */
export function SuitePage({ definition, entries, ...props }: SuitePageProps) {
  const { tests, parallelism, onFailure, retryFailed, timeoutMs, overlap, priority } = definition;
  return (
    <TargetPage {...props} kind="suite">
      <h2>What it does</h2>
      <Facts
        of={[
          ['Runs', `${formatCount(tests.length, 'test')}, ${parallelism} at the same time`],
          ['When a test fails', ON_FAILURE[onFailure]],
          ['Failed tests run again', retryFailed === 0 ? 'No' : `Up to ${formatCount(retryFailed, 'time')}`],
          ['Time limit', timeoutMs === undefined ? 'None' : formatMs(timeoutMs)],
          ['When an earlier run is under way', OVERLAP[overlap]],
          ['Priority', PRIORITY[priority ?? '']],
        ]}
      />
      <h2>Its tests, in order</h2>
      <ol class="plain-order">
        {entries.map(({ id, name }, index) => (
          <li key={index}>
            <a href={`/tests/${id}`}>{name}</a>
          </li>
        ))}
      </ol>
      {entries.length < tests.length ? (
        <p>
          These are the first {entries.length}. <a href="?tests=all">Show all {formatCount(tests.length, 'test')}</a>
        </p>
      ) : null}
    </TargetPage>
  );
}
