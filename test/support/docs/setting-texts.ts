/** Documentation of a setting, in Markdown. */
export interface SettingText {
  text: string;
  /** The default, if the schema does not contain it. */
  unset?: string;
}

/** The settings of `src/config.ts`; for limits see `src/domain/limits.ts`. */
export const SETTING_TEXTS: Record<string, SettingText> = {
  MONGODB_URL: {
    text: 'Connection string. Its path names the database (`runhook` if it has none). Runhook sets read and write concerns itself, from what the deployment reports: `w=majority` and journaled on a replica set or a cluster, where `w=0` and `w=1` are refused',
  },
  RUNHOOK_LOG_LEVEL: { text: 'Lowest level that is logged' },
  RUNHOOK_REBIND_TEMPORAL: {
    text: 'Binds the database to whichever Temporal is found. Only for stacks that start both together, such as `npm start`; otherwise use `runhook setup --rebind-temporal` ([why](decisions/operations/installations.md))',
  },
  RUNHOOK_SECRET_KEYS: {
    text: 'Keys for stored secrets: 32 bytes in Base64 each (`openssl rand -base64 32`), the newest first ([rotation](deployment.md#rotate-secret-keys))',
  },
  RUNHOOK_START_DEADLINE_HOURS: {
    text: 'How long a run may wait to be started in Temporal before it ends as `NOT_STARTED`',
  },
  RUNHOOK_RETENTION_DAYS: {
    text: 'How long a run is kept after its trigger if its project does not specify it (`retentionDays`). Must be longer than Temporal keeps closed workflows',
  },
  RUNHOOK_NO_RUNNER_MINUTES: {
    text: 'How long a test may wait while its pool has no worker before it ends as `NO_RUNNER`',
  },
  RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS: {
    text: 'How long Temporal may be unavailable, or a worker silent, before a running test is considered lost and runs again on another worker: this and half of it more',
  },
  RUNHOOK_OIDC_ISSUER: { text: 'An OpenID Connect provider to sign in with' },
  RUNHOOK_OIDC_CLIENT_ID: { text: 'Client ID at the provider. Required with `RUNHOOK_OIDC_ISSUER`' },
  RUNHOOK_OIDC_CLIENT_SECRET: { text: 'Client secret at the provider. Required with `RUNHOOK_OIDC_ISSUER`' },
  RUNHOOK_OIDC_NAME: { text: 'Name of the provider on the sign-in button' },
  RUNHOOK_OIDC_SIGN_UP: { text: 'Whether the provider creates accounts for new people' },
  RUNHOOK_HOST: { text: 'Address the server listens on' },
  RUNHOOK_PORT: { text: 'Port the server listens on' },
  RUNHOOK_OPS_HOST: { text: 'Address that serves health and metrics' },
  RUNHOOK_OPS_PORT: { text: 'Port that serves health and metrics' },
  RUNHOOK_PUBLIC_URL: {
    text: 'Address under which people reach the server; the base of `webapp_url` and of webhook URLs',
    unset: '`http://127.0.0.1:` and the port',
  },
  RUNHOOK_TEMPORAL_UI_URL: { text: 'Address of the Temporal UI, for links; without it there are no links' },
  RUNHOOK_STARTS_IN_FLIGHT: { text: 'Maximum number of workflow starts in flight; fewer while Temporal is overloaded' },
  RUNHOOK_MAX_PENDING: { text: 'Number of pending runs above which triggers return 503' },
  RUNHOOK_CHECK_ANSWERS: { text: 'Checks every API response against its schema. For tests of Runhook' },
  RUNHOOK_SESSION_DAYS: { text: 'How long an unused session lasts' },
  RUNHOOK_SESSION_MAX_DAYS: { text: 'How long a session lasts in any case' },
  RUNHOOK_TRUSTED_PROXIES: { text: 'Addresses and networks of your proxies: only their `X-Forwarded-For` is trusted' },
  RUNHOOK_DRAIN_SECONDS: { text: 'How long the server keeps serving after SIGTERM while it is not ready' },
  RUNHOOK_POOLS: { text: '[Pools](pools.md) whose tests the worker executes; `none`: workflows only' },
  RUNHOOK_WORKFLOWS: { text: 'Whether the worker also runs workflows' },
  RUNHOOK_SLOTS: {
    text: 'Maximum number of tests of each pool at the same time; `auto`: as many as memory allows',
    unset: 'number of cores',
  },
  RUNHOOK_MAX_SLOTS: {
    text: 'With `auto`: maximum number of tests of each pool at the same time',
    unset: '4 per core',
  },
  RUNHOOK_TARGET_MEMORY: {
    text: 'With `auto`: share of the machine’s memory in use above which only one test of each pool is started',
  },
  RUNHOOK_WORKFLOW_LOST_MINUTES: {
    text: 'How long the workflow of a started run must be missing in Temporal before the run ends as `WORKFLOW_LOST`',
  },
  RUNHOOK_SHUTDOWN_GRACE_SECONDS: {
    text: 'How long running tests may continue after SIGTERM; the rest is run again by another worker',
  },
  RUNHOOK_DEPLOYMENT_NAME: { text: 'The Temporal worker deployment that the version belongs to' },
  RUNHOOK_BUILD_ID: {
    text: 'Version of the worker, for [worker versioning](temporal.md#with-worker-versioning); without it the worker is not versioned',
  },
  RUNHOOK_VERSIONING: {
    text: '`pinned`: a run stays on the version it started with; `auto-upgrade`: it moves to the current one',
  },
  RUNHOOK_HEARTBEAT_SECONDS: {
    text: 'Time between two heartbeats of a running test; at least three fit into the timeout. Each is a billed action in Temporal Cloud; a stop does not wait for one',
  },
  RUNHOOK_LOG_MAX_MIB: { text: 'Log kept of one attempt, in MiB' },
  RUNHOOK_WORK_FOLDER: {
    text: 'Absolute folder for files of tests: repositories, work trees, cached setups. Created if missing; only its owner can access it',
    unset: '`runhook-work-<user id>` in the system’s temporary folder',
  },
  RUNHOOK_TEST_FOLDERS: {
    text: 'Absolute folders that a test’s `cwd` may be in ([working folders](test-files.md#working-folders))',
  },
  RUNHOOK_ISOLATION: {
    text: 'How commands and setup commands of tests are [isolated](command-tests.md#isolation): `namespaces`, or `none`. With `auto`, the best level that works on the machine; with `namespaces`, the worker does not start where it does not work',
  },
  RUNHOOK_TOOL_FOLDERS: {
    text: 'Absolute folders of tools outside `/usr` that [isolated](command-tests.md#isolation) commands can read, such as `/home/ci/.pyenv`',
  },
  RUNHOOK_CHROMIUM: {
    text: 'Chromium for [browser tests](browser-tests.md#browsers-on-the-worker)',
    unset: 'on `PATH`, otherwise Playwright’s download',
  },
  RUNHOOK_FIREFOX: {
    text: 'Firefox for [browser tests](browser-tests.md#browsers-on-the-worker)',
    unset: 'Playwright’s download',
  },
  RUNHOOK_GIT_PROTOCOLS: { text: 'How tests can fetch repositories: `https`, `ssh`, `http`, `git`, `file`' },
  RUNHOOK_WORKER_SSH_KEYS: {
    text: '`allow`: Git can use the SSH keys, agent and settings of the worker’s own user for tests without a `GIT_SSH_KEY`',
  },
  RUNHOOK_SETUP_CACHE_MIB: {
    text: 'Size of the cache for setups, in MiB; the least recently used entries are removed first, and those not used for two weeks',
  },
  RUNHOOK_ARTIFACT_FILE_MIB: { text: 'Largest file kept of a run, in MiB' },
  RUNHOOK_ARTIFACT_RUN_MIB: { text: 'Files kept of one run, all attempts together, in MiB' },
  RUNHOOK_PRIVATE_NETWORKS: {
    text: '`refuse`: HTTP and browser tests cannot reach loopback and private addresses ([network rules](decisions/tests/network-rules.md)). Link-local addresses and metadata services of clouds are always refused',
  },
  RUNHOOK_ALLOWED_NETWORKS: {
    text: 'Addresses and networks that tests can reach although they are private or link-local',
  },
  RUNHOOK_REFUSED_NETWORKS: { text: 'Addresses and networks that tests can never reach' },
  RUNHOOK_ADMIN_EMAIL: { text: 'Email address of the first account, which is created if no account exists' },
  RUNHOOK_ADMIN_PASSWORD: { text: 'Password of the first account', unset: 'random, printed once' },
};
