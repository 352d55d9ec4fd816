import type { SuiteRun } from '#src/domain/runs/run.js';
import { RunState } from '#src/web/components/live/run-state.js';
import { RunFacts } from '#src/web/components/run/run-facts.js';
import { TemporalLink } from '#src/web/components/run/temporal-link.js';

interface SuiteStateProps {
  run: SuiteRun;
  projectName: string;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: Date;
  isPart?: boolean;
}

/** What a suite run waits for, why it ended so, where it comes from and when what happened. */
export function SuiteState({ run, projectName, temporalUrl, now, isPart }: SuiteStateProps) {
  return (
    <RunState run={run} now={now} isPart={isPart}>
      <RunFacts run={run} projectName={projectName} now={now} />
      <TemporalLink run={run} href={temporalUrl} />
    </RunState>
  );
}
