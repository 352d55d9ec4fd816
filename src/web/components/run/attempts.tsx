import type { AttemptRecord, AttemptVerdict, TestRun } from '#src/domain/runs/run.js';
import { Elapsed } from '#src/web/components/elapsed.js';
import { Facts } from '#src/web/components/facts.js';
import { Moment } from '#src/web/components/moment.js';
import { Status } from '#src/web/components/status.js';

/** The attempts of a test run, each with its verdict, times and worker. */
export function Attempts({ run, now }: { run: TestRun; now: Date }) {
  const { attempts } = run;
  const hasSteps = run.definition.runner !== 'command' && attempts.length > 1;
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {attempts.length === 0 ? <p class="muted">None yet.</p> : null}
      <ol class="cards">
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <AttemptCard attempt={attempt} now={now} />
            {hasSteps ? (
              <p>
                <a href={`/runs/${run._id}?attempt=${attempt.number}#steps`}>Its steps</a>
              </p>
            ) : null}
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
          The worker was lost; delivery {delivery}. The test was restarted; this does not count as an attempt.
        </p>
      ) : null}
      <Facts
        of={[
          ['Exit code', verdict?.exitCode],
          ['Error', verdict?.errorCode ? <ErrorOf verdict={verdict} /> : undefined],
          ['Why', verdict?.errorCode ? undefined : verdict?.errorMessage],
          ['Started', <Moment at={startedAt} />],
          ['Ended', endedAt ? <Moment at={endedAt} /> : undefined],
          ['Duration', <Elapsed from={startedAt} to={endedAt} now={now} />],
          ['Worker', worker],
          ['Commit', verdict?.commit ? <code>{verdict.commit}</code> : undefined],
          ['Effective limits', verdict?.limits],
          ['Isolation', verdict?.isolation],
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
