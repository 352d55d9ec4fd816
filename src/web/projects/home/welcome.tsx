import type { ComponentChildren } from 'preact';
import { Copy } from '#src/web/components/copy.js';

/** How far a person has come before the first run. */
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
      <h2 id="welcome">Welcome. Three steps to your first run</h2>
      <ol>
        <Step title="A project" isDone={project !== undefined}>
          {project ? (
            <>
              <a href={`/projects/${project.id}/tests`}>{project.name}</a> exists.
            </>
          ) : mayCreate ? (
            <>
              <a href="/projects/new">Create one</a>, or <a href="/projects/import">import a project file</a>. To join
              an existing project, ask its owner for an invitation.
            </>
          ) : (
            'Ask the owner of a project for an invitation.'
          )}
        </Step>
        <Step title="A test" isDone={test !== undefined}>
          {test ? (
            <>
              <a href={`/tests/${test.id}`}>{test.name}</a> exists.
            </>
          ) : (
            <>
              A command whose exit code says whether it passed.{' '}
              {project?.mayEdit ? <a href={`/projects/${project.id}/tests/new`}>Create one</a> : null}
            </>
          )}
        </Step>
        <Step title="A run" isDone={false}>
          {test && project?.mayRun ? (
            <>
              Press “Run” on <a href={`/tests/${test.id}`}>the page of the test</a>, or call its webhook:
            </>
          ) : (
            'Press “Run” on the page of the test, or call its webhook:'
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
            <p>For the complete URL with the token, open the “…” menu of a test and choose “Run via CLI or webhook”.</p>
          )}
          <p>The response contains the ID of the run and the URL of its page.</p>
        </Step>
      </ol>
      {isAdmin ? (
        <p>
          You are an admin: <a href="/admin/users">add people</a>, and check that <a href="/admin/workers">workers</a>{' '}
          are available.
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
