import type { Overlap } from '#src/domain/targets/definitions.js';
import type { Run, TriggerType } from '#src/domain/runs/run.js';
import { formatCount, formatDuration } from '#src/web/texts/format.js';
import { TestDefinitionFacts } from '#src/web/components/definition/test-definition.js';
import { Elapsed } from '#src/web/components/elapsed.js';
import { Facts } from '#src/web/components/facts.js';
import { Moment } from '#src/web/components/moment.js';

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
  allow: 'Run concurrently',
  queue: 'Queue the new run',
  skip: 'Skip the new run',
  'stop-previous': 'Stop the earlier run',
};

/** Where a run comes from and when what happened. */
export function RunFacts({ run, projectName, now }: { run: Run; projectName: string; now: Date }) {
  const { queuedAt, startedAt, endedAt } = run;
  return (
    <Facts
      of={[
        ['Project', projectName],
        ['Trigger', [TRIGGERS[run.triggeredBy.type], run.triggeredBy.name].filter(Boolean).join(', ')],
        ['Variable set', run.profileName],
        ['Repeats', run.rerun ? <a href={`/runs/${run.rerun.of}`}>an earlier run</a> : undefined],
        ['Queued', <Moment at={queuedAt} />],
        ['Started', startedAt ? <Moment at={startedAt} /> : undefined],
        ['Ended', endedAt ? <Moment at={endedAt} /> : undefined],
        ['Duration', startedAt ? <Elapsed from={startedAt} to={endedAt} now={now} /> : undefined],
        ['Revision', run.targetRevision],
        ['Run ID', <code>{run._id}</code>],
      ]}
    />
  );
}

/** What the run executes: the definition at the time of the trigger. Values of variables are not shown. */
export function DefinitionFacts({ run }: { run: Run }) {
  // There is none: the suite named a test that was not found.
  if (run.errorCode === 'TEST_MISSING') return null;
  return (
    <section aria-labelledby="definition">
      <h2 id="definition">Definition</h2>
      {run.kind === 'test' ? (
        <TestDefinitionFacts definition={run.definition} />
      ) : (
        <Facts
          of={[
            ['Tests', formatCount(run.definition.tests.length, 'test')],
            ['Concurrency', run.definition.parallelism],
            ['On failure', run.definition.onFailure === 'stop' ? 'Stop starting tests' : 'Continue'],
            ['Retries of failed tests', run.definition.retryFailed ? `up to ${run.definition.retryFailed} times` : ''],
            [
              'Timeout',
              run.definition.timeoutMs ? formatDuration(new Date(0), new Date(run.definition.timeoutMs)) : '',
            ],
            ['Overlap policy', OVERLAP_TEXTS[run.definition.overlap ?? 'allow']],
          ]}
        />
      )}
    </section>
  );
}
