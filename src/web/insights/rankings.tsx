import type { ComponentChildren } from 'preact';
import type { FlakyTest, SlowTest } from '#src/domain/stats/stats.js';
import { DataTable } from '#src/web/components/data-table.js';
import { formatCount, formatMs } from '#src/web/texts/format.js';

/** The tests that take longest. */
export function Slowest({ tests }: { tests: readonly SlowTest[] }) {
  const longest = tests[0]?.medianMs ?? 0;
  return (
    <section aria-labelledby="slowest-title">
      <h2 id="slowest-title">Slowest tests</h2>
      <p class="muted">By median duration of the last 20 runs.</p>
      <Ranking
        label="Duration"
        rows={tests.map(({ targetId, name, medianMs }) => ({
          targetId,
          name,
          share: longest === 0 ? 0 : medianMs / longest,
          value: formatMs(medianMs),
        }))}
      />
    </section>
  );
}

/** The tests whose verdict changes although nobody has changed them. */
export function Flakiest({ tests, range }: { tests: readonly FlakyTest[]; range: number }) {
  const most = tests[0]?.flips ?? 0;
  return (
    <section aria-labelledby="flakiest-title">
      <h2 id="flakiest-title">Flakiest tests</h2>
      <p class="muted">
        How often the verdict changed on the same revision or a retry passed, in {formatCount(range, 'day')}.
      </p>
      {tests.length === 0 ? (
        <p>None. No verdict changed without a change of the test.</p>
      ) : (
        <Ranking
          label="Changes"
          rows={tests.map(({ targetId, name, flips }) => ({
            targetId,
            name,
            share: flips / most,
            value: formatCount(flips, 'change'),
          }))}
        />
      )}
    </section>
  );
}

interface RankedRow {
  targetId: string;
  name: string;
  /** Of the first one's value, from 0 to 1. */
  share: number;
  value: ComponentChildren;
}

function Ranking({ label, rows }: { label: string; rows: readonly RankedRow[] }) {
  return (
    <DataTable
      class="ranking"
      items={rows}
      columns={[
        { label: 'Test', cell: ({ targetId, name }) => <a href={`/tests/${targetId}`}>{name}</a> },
        {
          label,
          cell: ({ value, share }) => (
            <>
              {value}
              <svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={Math.max(1, Math.round(share * 100))} height="4" />
              </svg>
            </>
          ),
        },
      ]}
    />
  );
}
