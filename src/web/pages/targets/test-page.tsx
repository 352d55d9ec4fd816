import type { TestDefinition } from '../../../domain/definitions.js';
import { Facts } from '../../components/facts.js';
import { formatCommand, formatCount, formatMs } from '../../format.js';
import { TargetPage, type TargetPageProps } from './target-page.js';

/** GET /tests/{id} */
export function TestPage({ definition, ...props }: TargetPageProps & { definition: TestDefinition }) {
  const { cwd, env, timeoutMs, retries, pool } = definition;
  const names = Object.keys(env);
  return (
    <TargetPage {...props} kind="test">
      <h2>What it does</h2>
      {definition.runner === 'command' ? (
        <pre aria-label="Command" tabindex={0}>
          <code>{formatCommand(definition.command)}</code>
        </pre>
      ) : null}
      <Facts
        of={[
          ['Working folder', cwd === undefined ? undefined : <code>{cwd}</code>],
          ['Time limit of an attempt', formatMs(timeoutMs)],
          [
            'When it does not pass',
            retries === 0 ? 'That is its verdict' : `Up to ${formatCount(retries, 'more attempt')}`,
          ],
          [
            'Runs on',
            <>
              workers of the pool <code>{pool}</code>
            </>,
          ],
          // Their values are shown to those who edit them.
          ['Variables', names.length > 0 ? <code>{names.join(', ')}</code> : undefined],
        ]}
      />
    </TargetPage>
  );
}
