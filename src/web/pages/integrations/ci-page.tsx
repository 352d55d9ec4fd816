import { forSuite, type CiSnippet } from '../../ci-snippets.js';
import { Copy } from '../../components/copy.js';
import { Select } from '../../components/field.js';
import { TabPanels } from '../../components/tab-panels.js';
import { WhomToAsk } from '../../components/whom-to-ask.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';
import { CiSettings } from './ci-settings.js';
import { IntegrationsLayout } from './integrations-layout.js';

export interface CiPageProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  publicUrl: string;
  snippets: readonly CiSnippet[];
  /** Id of the snippet that is open. */
  current: string;
  /** Some of the project's, by name. */
  suites: readonly { id: string; name: string }[];
  /** Which the snippets run; none, the project has none yet. */
  suite: { id: string; name: string } | undefined;
  /** E-mails. */
  owners: readonly string[];
}

/** GET /projects/{id}/integrations/ci: jobs for CI services, ready to copy. */
export function CiPage({ page, project, publicUrl, snippets, current, suites, suite, owners }: CiPageProps) {
  const path = `/projects/${project.id}/integrations/ci`;
  const query = (of: string) => `${path}?${new URLSearchParams({ for: of, ...(suite ? { suite: suite.id } : {}) })}`;
  return (
    <IntegrationsLayout page={page} project={project} tab="ci">
      <h2>Run a suite from CI</h2>
      <p>
        Each starts a suite, waits for its end, and fails the job unless the suite passed. It names the suite by its id,
        which stays when it is renamed.
      </p>
      {project.may('runs.start') ? null : (
        <p class="notice">
          Your role in this project may not start runs: a token of yours would be refused. <WhomToAsk owners={owners} />
        </p>
      )}
      {suite ? (
        <SuiteChoice path={path} current={current} suites={suites} suite={suite} />
      ) : (
        <p class="notice">
          This project has no suite yet: put the name of yours in place of <code>Smoke</code>.
          {project.may('definitions.edit') ? (
            <>
              {' '}
              <a href={`/projects/${project.id}/suites/new`}>Make a suite</a>
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
                Goes into <code>{fileName}</code>
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
