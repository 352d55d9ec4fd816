import type { SuiteDefinition } from '#src/domain/targets/definitions.js';
import { Facts } from '#src/web/components/facts.js';
import { formatCount, formatMs } from '#src/web/texts/format.js';
import type { SuiteEntry } from '#src/web/targets/form/suite-editor.js';
import { NO_PRIORITY, ON_FAILURE, OVERLAP, PRIORITY } from '#src/web/targets/form/suite-form-page.js';
import { TargetPage, type TargetPageProps } from './target-page.js';

interface SuitePageProps extends TargetPageProps {
  definition: SuiteDefinition;
  /** Its tests in order: the first ones where there are many. */
  entries: readonly SuiteEntry[];
}

/** GET /suites/{id} */
export function SuitePage({ definition, entries, ...props }: SuitePageProps) {
  const { tests, parallelism, onFailure, retryFailed, timeoutMs, overlap, priority } = definition;
  return (
    <TargetPage {...props} kind="suite">
      <h2>Definition</h2>
      <Facts
        of={[
          ['Runs', `${formatCount(tests.length, 'test')}, ${parallelism} concurrently`],
          ['When a test fails', ON_FAILURE[onFailure]],
          ['Retries of failed tests', retryFailed === 0 ? 'No' : `Up to ${formatCount(retryFailed, 'time')}`],
          ['Timeout', timeoutMs === undefined ? 'None' : formatMs(timeoutMs)],
          ['When an earlier run is in progress', OVERLAP[overlap]],
          ['Priority', priority === undefined ? NO_PRIORITY : PRIORITY[priority]],
        ]}
      />
      <h2>Tests in order</h2>
      <ol class="plain-order">
        {entries.map(({ id, name }, index) => (
          <li key={index}>
            <a href={`/tests/${id}`}>{name}</a>
          </li>
        ))}
      </ol>
      {entries.length < tests.length ? (
        <p>
          Showing the first {entries.length}. <a href="?tests=all">Show all {formatCount(tests.length, 'test')}</a>
        </p>
      ) : null}
    </TargetPage>
  );
}
