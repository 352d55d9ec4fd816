import type { ComponentChildren } from 'preact';
import type { FlakyTest, SlowTest } from '../../../domain/stats.js';
import { formatCount, formatMs } from '../../format.js';

/** The tests that take longest. */
export function Slowest({ tests }: { tests: readonly SlowTest[] }) {
  const longest = tests[0]?.medianMs ?? 0;
  return (
    <section aria-labelledby="slowest-title">
      <h2 id="slowest-title">Slowest tests</h2>
      <p class="muted">By the median of their last 20 runs.</p>
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
        How often the verdict changed on the same revision, or a retry passed, in {formatCount(range, 'day')}.
      </p>
      {tests.length === 0 ? (
        <p>None: no verdict has changed without a change of its test.</p>
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
    <table class="ranking">
      <thead>
        <tr>
          <th scope="col">Test</th>
          <th scope="col">{label}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ targetId, name, share, value }) => (
          <tr key={targetId}>
            <th scope="row">
              <a href={`/tests/${targetId}`}>{name}</a>
            </th>
            <td data-label={label}>
              {value}
              <svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={Math.max(1, Math.round(share * 100))} height="4" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
