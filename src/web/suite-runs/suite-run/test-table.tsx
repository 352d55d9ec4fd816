import type { ListedTest } from '#src/domain/runs/run.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Elapsed } from '#src/web/components/elapsed.js';
import { Status } from '#src/web/components/status.js';
import { LIVE_PART } from '#src/web/components/live/live-part.js';
import { Why } from '#src/web/components/run/why.js';

interface TestTableProps {
  tests: readonly ListedTest[];
  now: Date;
  /** Rows that have changed, for pages that are open. */
  isPart?: boolean;
}

/** Tests of a suite run, a row each. */
export function TestTable({ tests, now, isPart = false }: TestTableProps) {
  return (
    <DataTable
      items={tests}
      hasHead={!isPart}
      row={({ _id }) => ({ id: `run-${_id}`, ...(isPart ? LIVE_PART : {}) })}
      nameColumn={1}
      columns={[
        { label: 'No.', cell: ({ position = 0 }) => position + 1, class: 'number', isUnlabeled: true },
        { label: 'Test', cell: ({ _id, targetName }) => <a href={`/runs/${_id}`}>{targetName}</a> },
        { label: 'Status', cell: ({ status }) => <Status status={status} />, isUnlabeled: true },
        { label: 'Attempts', cell: ({ attempt }) => attempt || '–' },
        {
          label: 'Duration',
          cell: ({ startedAt, endedAt }) => (startedAt ? <Elapsed from={startedAt} to={endedAt} now={now} /> : '–'),
        },
        { label: 'Why', cell: (test) => <Why run={test} />, class: 'why' },
      ]}
    />
  );
}
