import type { AttemptRecord, AttemptVerdict } from '../../domain/run.js';
import { Elapsed } from './elapsed.js';
import { Facts } from './facts.js';
import { Moment } from './moment.js';
import { Status } from './status.js';

/** The attempts of a test run, each with its verdict, times and worker. */
export function Attempts({ attempts, now }: { attempts: AttemptRecord[]; now: Date }) {
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {attempts.length === 0 ? <p class="muted">None yet.</p> : null}
      <ol class="cards">
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <AttemptCard attempt={attempt} now={now} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function AttemptCard({ attempt, now }: { attempt: AttemptRecord; now: Date }) {
  const { number, delivery, worker, startedAt, endedAt, verdict } = attempt;
  return (
    <>
      <h3>
        Attempt {number} <Status status={verdict?.status ?? 'running'} />
      </h3>
      {delivery > 1 ? (
        <p class="notice">
          The worker was lost; delivery {delivery}. It ran again from the beginning, and this does not count as an
          attempt of the test.
        </p>
      ) : null}
      <Facts
        of={[
          ['Exit code', verdict?.exitCode],
          ['Error', verdict?.errorCode ? <ErrorOf verdict={verdict} /> : undefined],
          ['Started', <Moment at={startedAt} />],
          ['Ended', endedAt ? <Moment at={endedAt} /> : undefined],
          ['Duration', <Elapsed from={startedAt} to={endedAt} now={now} />],
          ['Worker', worker],
        ]}
      />
    </>
  );
}

function ErrorOf({ verdict: { errorCode, errorMessage } }: { verdict: AttemptVerdict }) {
  return (
    <>
      <code>{errorCode}</code> {errorMessage}
    </>
  );
}
