import type { ComponentChildren } from 'preact';
import { Copy } from '../../components/copy.js';

/** How far somebody has come before his first run. */
export interface WelcomeProps {
  /** Base of webhook URLs. */
  publicUrl: string;
  mayCreate: boolean;
  isAdmin: boolean;
  /** The first one. */
  project?: { id: string; name: string; mayEdit: boolean; mayRun: boolean } | undefined;
  /** The first one of that project. */
  test?: { id: string; name: string } | undefined;
}

/** What to do next, until there is a first run. */
export function Welcome({ publicUrl, mayCreate, isAdmin, project, test }: WelcomeProps) {
  return (
    <section class="welcome" aria-labelledby="welcome">
      <h2 id="welcome">Welcome. Three steps to the first run</h2>
      <ol>
        <Step title="A project" isDone={project !== undefined}>
          {project ? (
            <>
              <a href={`/projects/${project.id}/tests`}>{project.name}</a> is there.
            </>
          ) : mayCreate ? (
            <>
              <a href="/projects/new">Make one</a>, or <a href="/projects/import">import a project file</a>. To work in
              a project of somebody else, ask its owner for an invitation.
            </>
          ) : (
            'Ask the owner of a project for an invitation.'
          )}
        </Step>
        <Step title="A test" isDone={test !== undefined}>
          {test ? (
            <>
              <a href={`/tests/${test.id}`}>{test.name}</a> is there.
            </>
          ) : (
            <>
              A command whose exit code says whether it passed.{' '}
              {project?.mayEdit ? <a href={`/projects/${project.id}/tests/new`}>Make one</a> : null}
            </>
          )}
        </Step>
        <Step title="A run" isDone={false}>
          {test && project?.mayRun ? (
            <>
              Press “Run” on <a href={`/tests/${test.id}`}>the page of the test</a>, or start it from outside:
            </>
          ) : (
            'Press “Run” on the page of the test, or start it from outside:'
          )}
          <Copy
            id="first-curl"
            text={`curl -X POST ${publicUrl}/webhooks/<WEBHOOK_TOKEN>/tests/run/${test?.id ?? '<TEST_ID>'}`}
          />
          {test && project?.mayRun ? (
            <p>
              The complete URL, with the token:{' '}
              <a href={`/tests/${test.id}/run-from-outside`}>Run via CLI or webhook</a>.
            </p>
          ) : (
            <p>The complete URL, with the token, stands in the “…” menu of each test: “Run via CLI or webhook”.</p>
          )}
          <p>The answer holds the run’s id and the address of its page, where you watch it.</p>
        </Step>
      </ol>
      {isAdmin ? (
        <p>
          You are an admin: <a href="/admin/users">add the others</a>, and see whether{' '}
          <a href="/admin/workers">workers</a> are there to run tests.
        </p>
      ) : null}
    </section>
  );
}

interface StepProps {
  title: string;
  isDone: boolean;
  children: ComponentChildren;
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li>
      <h3>
        {title} {isDone ? <span class="status passed">done</span> : null}
      </h3>
      <div>{children}</div>
    </li>
  );
}
