/** Documentation of a field of a project file, in Markdown. */
export interface FieldText {
  text: string;
  /** The default, if the schema does not contain it. */
  unset?: string;
}

const id = (of: string, derived: string): FieldText => ({
  text: `UUID of an existing ${of} of this project; needed to rename it`,
  unset: derived,
});
const DERIVED = 'derived from the project and the name';

const project: Record<string, FieldText> = {
  id: { text: 'UUID of an existing project', unset: '[found by name](#which-project-a-file-updates)' },
  project: { text: 'Name of the project, up to 200 characters' },
  retentionDays: {
    text: 'How long its runs are kept, counted from their trigger: 1 to 3650 days. A change applies to existing runs within minutes',
    unset: '`RUNHOOK_RETENTION_DAYS`',
  },
  tests: { text: 'Up to 10,000 [tests](#tests)' },
  suites: { text: 'Up to 10,000 [suites](#suites)' },
  schedules: { text: 'Up to 10,000 [schedules](#schedules)', unset: 'existing schedules are kept' },
};

const test: Record<string, FieldText> = {
  id: id('test', DERIVED),
  name: { text: 'Unique among the tests of the project' },
  runner: { text: 'Runner type' },
  command: { text: 'Program and arguments, without a shell. Required for the runner type `command`' },
  results: { text: '`{ junit: "out/*.xml" }`: where a command writes [JUnit XML](results.md#junit-results)' },
  git: {
    text: 'Repository with the files of the test, instead of `cwd`. See [Test files](test-files.md#git-repositories)',
  },
  setup: { text: 'Command that prepares the files. See [Test files](test-files.md#setup-commands)' },
  cwd: {
    text: 'Working folder on the worker, relative to the folder of the project file. See [Test files](test-files.md#working-folders)',
    unset: 'the folder of the file',
  },
  artifacts: { text: 'Paths and globs of files to keep. See [Artifacts](results.md#artifacts)' },
  limits: { text: 'What the test can use. See [Test limits](limits.md#test-limits)', unset: 'those of the worker' },
  timeout: { text: 'Timeout of one attempt, up to 24h' },
  retries: { text: 'Additional attempts after one that did not pass, 0 to 10' },
  pool: { text: '[Pool](pools.md) that runs it' },
  env: { text: '[Variables](variables.md) of the test. Names that start with `RUNHOOK_` are reserved' },
};

const suite: Record<string, FieldText> = {
  id: id('suite', DERIVED),
  name: { text: 'Unique among the suites of the project' },
  tests: { text: 'Names of tests of the file, in the order in which they start' },
  parallelism: { text: 'Tests at the same time, 1 to 500' },
  onFailure: { text: '`stop`: after a failed test, no more tests are started' },
  retryFailed: {
    text: 'How many times failed tests run again after the others, 0 to 10; the last verdict counts. With `onFailure: stop`, they run again immediately',
  },
  timeout: { text: 'Timeout of the whole suite, up to 168h: running tests are stopped, the others skipped' },
  overlap: {
    text: 'What a trigger does while a run of the suite is open: `allow` both, `queue` the new run, `skip` it, or `stop-previous`',
  },
  priority: {
    text: '1 (first) to 5 (last) among tests that wait for the same pool',
    unset: 'by trigger: web, CLI and API 2, webhook 3, schedule 4',
  },
};

const schedule: Record<string, FieldText> = {
  id: id('schedule', DERIVED),
  name: { text: 'Unique among the schedules of the project' },
  test: { text: 'Name of the test that it starts; either `test` or `suite`' },
  suite: { text: 'Name of the suite that it starts' },
  cron: { text: '[Cron expression](schedules.md#cron-expressions)' },
  timeZone: { text: 'IANA name of the time zone' },
  paused: { text: '`true`: starts nothing, and missed runs are not started later' },
  catchUp: { text: 'How late a missed run may still start after an outage: `1m` to `168h`' },
  profile: { text: 'ID of a [variable set](variables.md)' },
};

const git: Record<string, FieldText> = {
  'git.url': { text: '`https://…`, `ssh://…` or `git@host:path`' },
  'git.ref': { text: 'Branch, tag or commit, in this order; also `refs/pull/7/head`', unset: 'the default branch' },
  'git.path': { text: 'Folder of the repository that the test runs in', unset: 'the root' },
  'setup.command': { text: 'Program and arguments' },
  'setup.key': { text: 'Cache key files (globs): if they are unchanged, the setup is skipped', unset: 'always runs' },
  'setup.keep': { text: 'Cached folders', unset: 'none' },
  'setup.timeout': { text: 'Timeout, up to 30m' },
};

const browser: Record<string, FieldText> = {
  baseUrl: { text: 'Base of relative URLs' },
  steps: { text: 'Up to 500 [steps](#steps)' },
  groups: { text: 'Lists of steps by name, for the action `group`' },
  browser: { text: 'Browser', unset: '`chromium`' },
  viewport: { text: '`{ width, height }` of the page', unset: '1280 × 720' },
  device: { text: 'A device as Playwright names it, such as `iPhone 15`' },
  locale: { text: 'Language, such as `de-DE`' },
  timezone: { text: 'Time zone, such as `Europe/Berlin`' },
  storageState: { text: 'Cookies and local storage at the start: a file, or JSON in a variable' },
  screenshots: { text: 'When screenshots are kept', unset: '`failure`' },
  trace: { text: 'When a Playwright trace is kept', unset: '`failure`' },
  stepTimeout: { text: 'Timeout of one step', unset: '`10s`' },
};

const http: Record<string, FieldText> = {
  baseUrl: { text: 'Prefix of URLs that do not start with `http://` or `https://`' },
  requests: { text: '1 to 200 [requests](#requests)' },
  headers: { text: 'Headers of every request' },
  cookies: { text: '`keep`: cookies of responses are sent with later requests of the attempt', unset: '`keep`' },
  insecure: { text: '`true`: certificates are not checked', unset: '`false`' },
};

const request: Record<string, FieldText> = {
  name: { text: 'Name of the step' },
  method: { text: 'HTTP method', unset: '`GET`' },
  url: { text: 'URL, or path below `baseUrl`' },
  headers: { text: 'Headers; they override those of the test' },
  query: { text: 'Query parameters; a value can be a list' },
  body: { text: 'Body as text. A request has one of `body`, `json`, `form` and `file`' },
  json: { text: 'Body as JSON' },
  form: { text: 'Body as form fields' },
  file: { text: 'Body from a file below the working folder, up to 5 MiB' },
  auth: { text: '`basic: { username, password }` or `bearer`' },
  redirects: {
    text: '`follow` (up to 10), `manual` (the redirect is the response), or a maximum. Credentials are sent to the same origin only',
    unset: '`follow`',
  },
  timeout: { text: 'From the name resolution to the end of the response, up to 10m', unset: '`30s`' },
  expect: { text: '[Expectations](#expectations); all that fail are reported', unset: 'a status below 400' },
  capture: { text: '[Variables for later requests](#captures)' },
  retry: {
    text: '`times` and `every` (at least `100ms`): sends the request again until every expectation holds',
    unset: 'once; `every: 1s`',
  },
};

const expectation: Record<string, FieldText> = {
  status: { text: '`201`, `2xx`, or a list' },
  headers: { text: 'Headers by name' },
  json: { text: 'A list of checks of JSON values' },
  schema: { text: 'A JSON Schema (2020-12; draft-07 with its `$schema`). Unknown keywords are errors' },
  schemaFile: { text: 'A file with a JSON Schema' },
  text: { text: 'The body as text' },
  time: { text: '`below: 500ms`: including redirects, until the last byte' },
};

/** Every field of a project file, by documentation table. */
export const PROJECT_FILE_TEXTS = { project, test, suite, schedule, git, browser, http, request, expectation };
