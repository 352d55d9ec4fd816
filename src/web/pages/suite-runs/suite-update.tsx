import type { CountedSuiteRun, ListedTest } from '../../../domain/run.js';
import type { Page } from '../../../domain/page.js';
import { LiveStream } from '../../components/live/live-stream.js';
import { SuiteFacts, SuiteStatus } from './head.js';
import { suiteEvents } from './live-rows.js';
import { Progress } from './progress.js';
import { TestRows } from './test-rows.js';
import { Tests } from './tests.js';

export interface SuiteUpdateProps {
  run: CountedSuiteRun;
  projectName: string;
  usualMs?: number | undefined;
  /** Those on the page that have changed. */
  rows: readonly ListedTest[];
  /** The first tests, for a page that was made before there were any. */
  firstTests?: Page<ListedTest> | undefined;
  now: Date;
}

/** What has changed on the page of a suite run, as a live message. */
export function SuiteUpdate({ run, projectName, usualMs, rows, firstTests, now }: SuiteUpdateProps) {
  return (
    <>
      <SuiteStatus run={run} isLive />
      <Progress run={run} usualMs={usualMs} now={now} isLive />
      <SuiteFacts run={run} projectName={projectName} now={now} isLive />
      {firstTests ? (
        <>
          <Tests runId={run._id} tests={firstTests} filter={{}} isEmpty={false} now={now} isLive />
          <LiveStream src={suiteEvents(run._id, firstTests.items)} isLive />
        </>
      ) : null}
      {rows.length > 0 ? (
        // Parsers drop rows outside a table.
        <table>
          <tbody>
            <TestRows tests={rows} now={now} isLive />
          </tbody>
        </table>
      ) : null}
    </>
  );
}
