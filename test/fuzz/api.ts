/*
 * A public tool (Schemathesis, from PyPI) generates calls from the API's description and reports responses with status
 * 500 and above, undocumented statuses, and bodies that do not match their schemas. Starts a separate
 * system with a project that has tests, suites and runs, and uses a token of that project.
 *
 *   npm run fuzz:api -- [options of `schemathesis run`]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiClient } from '#test/support/servers/api-client.js';
import { addApiToken } from '#test/support/people.js';
import { endedRun, startStack, trigger, webhookUrl } from '#test/support/stack.js';

const PROGRAM = process.env.SCHEMATHESIS ?? 'schemathesis';
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
].join(',');
const PROJECT = `
project: Fuzzed
tests:
  - { name: One, command: [echo, hello] }
  - { name: Two, command: ["false"] }
suites:
  - { name: Both, tests: [One, Two] }
`;

const stack = await startStack();
let status: number | null = 1;
try {
  const project = await stack.importText(PROJECT);
  const { id } = await trigger(webhookUrl(stack, project, 'suites', 'Both'));
  await endedRun(stack, id);
  const token = await addApiToken(stack.collections, { projectId: project.projectId });
  const testRun = await stack.collections.runs.findOne({ suiteRunId: id });
  const { body: profile } = await apiClient(stack.baseUrl, token)('POST', `/projects/${project.projectId}/profiles/`, {
    name: 'Staging',
  });
  // Ids of existing objects, because random ones only cause 404.
  const configFile = join(stack.folder, 'schemathesis.toml');
  await writeFile(
    configFile,
    `[parameters]
"path.projectId" = "${project.projectId}"
"path.testId" = "${project.tests.One}"
"path.suiteId" = "${project.suites.Both}"
"path.profileId" = "${profile.id}"
[[operations]]
include-path-regex = "^/testruns/"
parameters = { "path.runId" = "${testRun?._id}" }
[[operations]]
include-path-regex = "^/suiteruns/"
parameters = { "path.runId" = "${id}" }
`,
  );
  const schemathesis = spawn(
    PROGRAM,
    [
      ...['--config-file', configFile],
      'run',
      `${stack.baseUrl}/api/v2/openapi.json`,
      ...['--checks', CHECKS, '--request-timeout', '30', '--output-sanitize', 'true'],
      ...['--header', `Authorization: Token ${token}`],
      ...process.argv.slice(2),
    ],
    // It writes files to its working folder.
    { stdio: 'inherit', cwd: stack.folder },
  );
  schemathesis.on('error', () => console.error(`${PROGRAM} cannot be started: pip install schemathesis`));
  [status] = (await once(schemathesis, 'close')) as [number | null];
  const failures = stack.output().match(/"msg":"failed"/g)?.length ?? 0;
  console.log(`Answers of 500 in the server's log: ${failures}`);
  if (failures > 0) status = 1;
} finally {
  await stack.stop();
}
process.exitCode = status ?? 1;
