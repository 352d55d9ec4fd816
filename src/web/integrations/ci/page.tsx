import { withQuery } from '#src/web/http/with-query.js';
import { forSuite, type CiSnippet } from '#src/web/texts/ci-snippets.js';
import { Copy } from '#src/web/components/copy.js';
import { Select } from '#src/web/components/form/field.js';
import { TabPanels } from '#src/web/components/tab-panels.js';
import { WhomToAsk } from '#src/web/components/whom-to-ask.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { CiSettings } from './ci-settings.js';
import { IntegrationsLayout } from '#src/web/integrations/integrations-layout.js';

interface CiPageProps {
  page: SignedInPage;
  project: ProjectContext;
  publicUrl: string;
  snippets: readonly CiSnippet[];
  /** Id of the snippet that is open. */
  current: string;
  /** Some of the project's, by name. */
  suites: readonly { id: string; name: string }[];
  /** Which the snippets run; none, the project has none yet. */
  suite: { id: string; name: string } | undefined;
  /** Emails. */
  owners: readonly string[];
}

/** GET /projects/{id}/integrations/ci: jobs for CI services, ready to copy. */
export function CiPage({ page, project, publicUrl, snippets, current, suites, suite, owners }: CiPageProps) {
  const path = `/projects/${project.id}/integrations/ci`;
  const query = (of: string) => withQuery(path, { for: of, suite: suite?.id });
  return (
    <IntegrationsLayout page={page} project={project} tab="ci">
      <h2>Run a suite from CI</h2>
      <p>
        Each job starts a suite, waits for it to complete, and fails unless the suite passed. It refers to the suite by
        ID, so renaming the suite does not break it.
      </p>
      {project.may('runs.start') ? null : (
        <p class="notice">
          Your role in this project does not allow you to start runs, so your tokens would be rejected.{' '}
          <WhomToAsk owners={owners} />
        </p>
      )}
      {suite ? (
        <SuiteChoice path={path} current={current} suites={suites} suite={suite} />
      ) : (
        <p class="notice">
          This project has no suites yet. Replace <code>Smoke</code> with the name of your suite.
          {project.may('definitions.edit') ? (
            <>
              {' '}
              <a href={`/projects/${project.id}/suites/new`}>Create a suite</a>
            </>
          ) : null}
        </p>
      )}
      <TabPanels
        label="CI services"
        current={`ci-${current}`}
        panels={snippets.map(({ id, label, fileName, text }) => ({
          id: `ci-${id}`,
          label,
          href: query(id),
          content: (
            <>
              <p>
                File: <code>{fileName}</code>
              </p>
              <Copy id={`ci-${id}-text`} text={suite ? forSuite(text, suite.id) : text} />
            </>
          ),
        }))}
      />
      <CiSettings project={project} publicUrl={publicUrl} />
    </IntegrationsLayout>
  );
}

type SuiteChoiceProps = Pick<CiPageProps, 'current' | 'suites'> & {
  path: string;
  suite: NonNullable<CiPageProps['suite']>;
};

function SuiteChoice({ path, current, suites, suite }: SuiteChoiceProps) {
  return (
    <form method="get" action={path} class="filters at-end">
      <input type="hidden" name="for" value={current} />
      <Select
        name="suite"
        label="Suite"
        options={suites.map(({ id, name }) => ({ value: id, label: name }))}
        value={suite.id}
      />
      <button type="submit" class="btn btn-outline-secondary">
        Show
      </button>
    </form>
  );
}
