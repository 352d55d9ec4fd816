import type { Overlap } from '../../domain/definitions.js';
import type { Run, TriggerType } from '../../domain/run.js';
import { formatCount, formatDuration } from '../format.js';
import { TestDefinitionFacts } from './definition/test-definition.js';
import { Elapsed } from './elapsed.js';
import { Facts } from './facts.js';
import { Moment } from './moment.js';

/** What started a run, in a person's words. */
export const TRIGGERS: Record<TriggerType, string> = {
  webhook: 'Webhook',
  suite: 'Suite',
  api: 'API',
  cli: 'Command line',
  web: 'Web app',
  schedule: 'Schedule',
};

const OVERLAP_TEXTS: Record<Overlap, string> = {
  allow: 'run at the same time',
  queue: 'wait for its end',
  skip: 'skip the new one',
  'stop-previous': 'stop the earlier one first',
};

/** Where a run comes from and when what happened. */
export function RunFacts({ run, projectName, now }: { run: Run; projectName: string; now: Date }) {
  const { queuedAt, startedAt, endedAt } = run;
  return (
    <Facts
      of={[
        ['Project', projectName],
        ['Trigger', [TRIGGERS[run.triggeredBy.type], run.triggeredBy.name].filter(Boolean).join(', ')],
        ['Profile', run.profileName],
        ['Repeats', run.rerun ? <a href={`/runs/${run.rerun.of}`}>an earlier run</a> : undefined],
        ['Queued', <Moment at={queuedAt} />],
        ['Started', startedAt ? <Moment at={startedAt} /> : undefined],
        ['Ended', endedAt ? <Moment at={endedAt} /> : undefined],
        ['Duration', startedAt ? <Elapsed from={startedAt} to={endedAt} now={now} /> : undefined],
        ['Revision', run.targetRevision],
        ['Run id', <code>{run._id}</code>],
      ]}
    />
  );
}

/** What the run was told to do: the definition as it was at the trigger. Values of variables are not shown. */
export function DefinitionFacts({ run }: { run: Run }) {
  // There is none: the suite named a test that was not found.
  if (run.errorCode === 'TEST_MISSING') return null;
  return (
    <section aria-labelledby="definition">
      <h2 id="definition">Definition at the trigger</h2>
      {run.kind === 'test' ? (
        <TestDefinitionFacts definition={run.definition} />
      ) : (
        <Facts
          of={[
            ['Tests', formatCount(run.definition.tests.length, 'test')],
            ['At the same time', run.definition.parallelism],
            ['On a failure', run.definition.onFailure === 'stop' ? 'start no more tests' : 'go on'],
            ['Failed tests run again', run.definition.retryFailed ? `up to ${run.definition.retryFailed} times` : ''],
            [
              'Timeout',
              run.definition.timeoutMs ? formatDuration(new Date(0), new Date(run.definition.timeoutMs)) : '',
            ],
            ['While an earlier run is open', OVERLAP_TEXTS[run.definition.overlap ?? 'allow']],
          ]}
        />
      )}
    </section>
  );
}
