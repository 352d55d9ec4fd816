import { readFileSync } from 'node:fs';

/** A job for one CI service, ready to copy: a file of examples/ci. */
export interface CiSnippet {
  /** In addresses. */
  id: string;
  label: string;
  /** Where its text goes. */
  fileName: string;
  text: string;
}

/** Read once at start. `npm run build` puts the files beside the compiled program. */
const read = (name: string) => readFileSync(new URL(`../../../examples/ci/${name}`, import.meta.url), 'utf8');

export const CI_SNIPPETS: readonly CiSnippet[] = [
  {
    id: 'github',
    label: 'GitHub Actions',
    fileName: '.github/workflows/runhook.yml',
    text: read('github-actions.yml'),
  },
  { id: 'gitlab', label: 'GitLab', fileName: '.gitlab-ci.yml', text: read('gitlab-ci.yml') },
  { id: 'jenkins', label: 'Jenkins', fileName: 'Jenkinsfile', text: read('Jenkinsfile') },
  { id: 'curl', label: 'curl', fileName: 'run-suite.sh', text: read('curl.sh') },
  { id: 'webhook', label: 'curl, webhook only', fileName: 'webhook.sh', text: read('webhook.sh') },
];

/** The suite that the examples run. */
const EXAMPLE = 'suite run Smoke';

/** A snippet for a suite: by its id, which needs no quotes in any language and stays when the suite is renamed. */
export function forSuite(text: string, suiteId: string): string {
  return text.replaceAll(EXAMPLE, `suite run ${suiteId}`).replaceAll('SUITE_ID=…', `SUITE_ID=${suiteId}`);
}
