import type { Page } from '#src/domain/page.js';
import type { CountedSuiteRun, ListedTest } from '#src/domain/runs/run.js';
import { LiveStream } from '#src/web/components/live/live-stream.js';
import { RunTitle, runPageTitle } from '#src/web/components/run/run-title.js';
import { suiteEvents } from './live-rows.js';
import { Progress } from './progress.js';
import { SuiteState } from './suite-state.js';
import { TestTable } from './test-table.js';
import { Tests } from './tests.js';

interface SuiteUpdateProps {
  run: CountedSuiteRun;
  projectName: string;
  temporalUrl?: string | undefined;
  usualMs?: number | undefined;
  /** Those on the page that have changed. */
  rows: readonly ListedTest[];
  /** The first tests, for a page that was rendered before there were any. */
  firstTests?: Page<ListedTest> | undefined;
  /** The suite run itself has changed, not its tests only. */
  withState: boolean;
  now: Date;
}

/** What has changed on the page of a suite run, as a live message. */
export function SuiteUpdate(props: SuiteUpdateProps) {
  const { run, projectName, temporalUrl, usualMs, rows, firstTests, withState, now } = props;
  return (
    <>
      {withState ? (
        <>
          <title>{`${runPageTitle(run)} · ${projectName} · Runhook`}</title>
          <RunTitle run={run} isPart />
          <SuiteState run={run} projectName={projectName} temporalUrl={temporalUrl} now={now} isPart />
        </>
      ) : null}
      <Progress run={run} usualMs={usualMs} now={now} isPart />
      {firstTests ? (
        <>
          <Tests runId={run._id} tests={firstTests} filter={{}} isEmpty={false} now={now} isPart />
          <LiveStream src={suiteEvents(run._id, firstTests.items, false)} isNext />
        </>
      ) : null}
      {rows.length > 0 ? <TestTable tests={rows} now={now} isPart /> : null}
    </>
  );
}
