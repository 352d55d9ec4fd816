import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import Joi from 'joi';
import { GIT_PROTOCOLS, type GitProtocol } from './domain/targets/git-address.js';
import type { ArtifactLimits } from './domain/runs/artifact.js';
import { ISOLATION_LEVELS, type IsolationLevel } from './domain/runs/isolation-level.js';
import { MIB } from './lib/bytes.js';
import { LIMITS, type InstanceLimits } from './domain/limits.js';
import type { TestLimits } from './domain/targets/definitions.js';
import { LIMIT_NAMES, LIMIT_RULES, limitsInForce, testLimits } from './domain/targets/test-limits.js';
import { isNetwork } from './domain/tokens/networks.js';
import type { OpenIdConfig } from './services/people/open-id.js';

/** Settings of every process. */
interface CommonConfig {
  /** MongoDB connection string. */
  mongodbUrl: string;
  logLevel: string;
}

/** Settings of processes that use Temporal. */
interface TemporalRules {
  /** Binds the database to whichever Temporal it finds. Only for stacks that start both together. */
  rebindsTemporal: boolean;
}

/** Keys of the secrets at rest. */
interface SecretConfig {
  /** AES-256 keys, newest first: the first encrypts, all decrypt. */
  secretKeys: Buffer[];
}

/** Rules for runs, applied by servers and by scheduled jobs in workers. */
interface RunRules {
  /** How long a run may wait to start before it ends as `error`/`NOT_STARTED`, in ms. */
  startDeadlineMs: number;
  /** Retention of runs of projects without their own, from the trigger, in ms. */
  retentionMs: number;
  /** How long a test may wait for a runner while its pool has none, in ms. */
  noRunnerMs: number;
  /** Heartbeat timeout of a running test, in ms. */
  heartbeatTimeoutMs: number;
}

export interface ServerConfig extends CommonConfig, SecretConfig, RunRules, TemporalRules {
  host: string;
  port: number;
  opsHost: string;
  opsPort: number;
  /** URL under which people reach the server; the base of `webapp_url`. Without a trailing slash. */
  publicUrl: string;
  /** URL of the Temporal UI, for links; absent: no links. */
  temporalUiUrl?: string;
  /** Maximum number of concurrent workflow starts. */
  startsInFlight: number;
  /** Maximum number of runs waiting to start, above which triggers are rejected with 503. */
  maxPending: number;
  /** Validate API responses against their schemas (for tests). */
  validateResponses: boolean;
  /** How long an unused session remains valid, in ms. */
  sessionMs: number;
  /** Maximum lifetime of a session, in ms. */
  sessionMaxMs: number;
  limits: InstanceLimits;
  /** IP addresses and CIDR blocks whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  /** OpenID Connect provider for sign-in, if there is one. */
  openId?: OpenIdConfig;
  /** How long the server keeps serving after SIGTERM while it is no longer ready, in ms. */
  drainMs: number;
}

/** The worker's version in Temporal's terms. */
export interface DeploymentConfig {
  name: string;
  buildId: string;
  /** Whether running workflows stay on their version or move to the current one. */
  versioning: 'PINNED' | 'AUTO_UPGRADE';
}

export interface WorkerConfig extends CommonConfig, SecretConfig, RunRules, TemporalRules {
  /** Runner pools that this worker serves; empty: it only runs workflows. */
  pools: string[];
  /** Whether this worker also runs workflows and the activities of the workflow queue. */
  workflows: boolean;
  /** Maximum number of concurrent tests per pool. */
  slots: number;
  /** Slots are assigned while memory usage is below this share (0 to 1); absent: always. */
  targetMemory?: number;
  /** Absent: the worker is not versioned. */
  deployment?: DeploymentConfig;
  /** How long a run's workflow must be missing in Temporal before the run ends as lost, in ms. */
  workflowLostMs: number;
  /** How long running tests may continue after SIGTERM, in ms. */
  shutdownGraceMs: number;
  /** Interval between heartbeats of a running test, in ms. */
  heartbeatMs: number;
  /** Maximum log size of an attempt, in bytes. */
  logMaxBytes: number;
  /** Absolute path of the folder for repositories, work trees and caches. */
  workFolder: string;
  /** Absolute paths of folders that may contain a test's `cwd`. */
  testFolders: string[];
  /** How programs of tests are isolated; folders of tools outside the system's, visible to them. */
  isolation: { requested: IsolationLevel | 'auto'; toolFolders: string[] };
  /** Protocols that Git may use: https, ssh… */
  gitProtocols: GitProtocol[];
  /** Whether Git may use the SSH keys, agent and configuration of the worker's user. */
  workerSshKeys: boolean;
  /** Maximum size of the setup cache, in bytes. */
  setupCacheBytes: number;
  /** Limits of run artifacts, in bytes. */
  artifacts: ArtifactLimits;
  /** Limits for scheduled runs. */
  limits: InstanceLimits;
  /** Whether HTTP and browser tests may reach loopback, private and link-local addresses. */
  privateNetworks: 'allow' | 'refuse';
  /** Browser executables; absent: searched for. */
  browsers: { chromium?: string; firefox?: string };
  /** Default and maximum of the limits that a test can set. */
  testLimits: TestLimits;
  /** IP addresses and CIDR blocks that tests may reach although they are private. */
  allowedNetworks: string[];
  /** IP addresses and CIDR blocks that tests may never reach. */
  refusedNetworks: string[];
}

export interface SetUpConfig extends CommonConfig, TemporalRules {
  /** The first account, created if there are no accounts. */
  admin: { email: string; password?: string };
}

export interface SecretsConfig extends CommonConfig, SecretConfig {}

export interface ImportConfig extends SecretConfig {
  publicUrl: string;
}

/** The environment is not valid; `problems` has one line per variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(readonly problems: string[]) {
    super(`The environment is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const url = (schemes: string[]) => {
  const problem = `{{#label}} must be a URL that starts with ${schemes.map((one) => `${one}://`).join(' or ')}`;
  return Joi.string().uri({ scheme: schemes }).messages({ 'string.uriCustomScheme': problem, 'string.uri': problem });
};
/** Not validated as a URI, because a replica set's URL has several hosts. The driver validates the rest. */
const mongodbUrl = Joi.string()
  .pattern(/^mongodb(\+srv)?:\/\/[^\s/]/)
  .messages({ '*': '{{#label}} must be a URL that starts with mongodb:// or mongodb+srv://' });
const publicUrl = url(['http', 'https']).custom((value: string) => value.replace(/\/+$/, ''));

const common = {
  MONGODB_URL: mongodbUrl.required().messages({ 'any.required': '{{#label}} is required' }),
  RUNHOOK_LOG_LEVEL: Joi.string().valid('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
};

const temporalRules = { RUNHOOK_REBIND_TEMPORAL: Joi.boolean().default(false) };

const KEY_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/;

const secrets = {
  RUNHOOK_SECRET_KEYS: Joi.array().items(Joi.string().pattern(KEY_OF_32_BYTES)).min(1).required().messages({
    '*': '{{#label}} must be base64-encoded 32-byte keys, separated by commas (openssl rand -base64 32)',
  }),
};

/** One year, within the limits of timers in Temporal and Node. */
const LONGEST_TIMER_MINUTES = 525_600;
const runRules = {
  RUNHOOK_START_DEADLINE_HOURS: Joi.number().positive().default(24),
  RUNHOOK_RETENTION_DAYS: Joi.number().positive().default(90),
  RUNHOOK_NO_RUNNER_MINUTES: Joi.number().positive().max(LONGEST_TIMER_MINUTES).default(60),
  RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS: Joi.number().min(3).max(3600).default(60),
};

const port = Joi.number().port();

const limitVariables = Object.fromEntries(
  Object.values(LIMITS).map((rule) => {
    const number = Joi.number().integer().min(1).max(rule.max);
    return [rule.variable, 'default' in rule ? number.default(rule.default) : number];
  }),
);

const network = Joi.string()
  .custom((value: string, helpers) => (isNetwork(value) ? value : helpers.error('any.invalid')))
  .messages({ '*': '{{#label}} must be IP addresses or networks such as 10.0.0.0/8, separated by commas' });

/** The provider's settings are required together. */
const neededWithIssuer = Joi.string().when('RUNHOOK_OIDC_ISSUER', {
  is: Joi.exist(),
  then: Joi.required().messages({ 'any.required': '{{#label}} is required if RUNHOOK_OIDC_ISSUER is set' }),
});
const openIdVariables = {
  RUNHOOK_OIDC_ISSUER: url(['http', 'https']).custom((value: string, helpers) =>
    value.startsWith('https:') || ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(value).hostname)
      ? value
      : helpers.message({ custom: '{{#label}} must be an https:// URL' }),
  ),
  RUNHOOK_OIDC_CLIENT_ID: neededWithIssuer,
  RUNHOOK_OIDC_CLIENT_SECRET: neededWithIssuer,
  RUNHOOK_OIDC_NAME: Joi.string().max(60).default('OpenID Connect'),
  RUNHOOK_OIDC_SIGN_UP: Joi.boolean().default(false),
};

const serverVariables = Joi.object({
  ...common,
  ...temporalRules,
  ...secrets,
  RUNHOOK_HOST: Joi.string().default('127.0.0.1'),
  RUNHOOK_PORT: port.default(4000),
  RUNHOOK_OPS_HOST: Joi.string().default('127.0.0.1'),
  RUNHOOK_OPS_PORT: port.default(4001),
  RUNHOOK_PUBLIC_URL: publicUrl,
  RUNHOOK_TEMPORAL_UI_URL: publicUrl,
  ...runRules,
  RUNHOOK_STARTS_IN_FLIGHT: Joi.number().integer().min(1).max(1000).default(24),
  RUNHOOK_MAX_PENDING: Joi.number().integer().min(1).default(100_000),
  RUNHOOK_CHECK_ANSWERS: Joi.boolean().default(false),
  RUNHOOK_SESSION_DAYS: Joi.number().positive().max(400).default(14),
  RUNHOOK_SESSION_MAX_DAYS: Joi.number().positive().max(400).default(30),
  RUNHOOK_TRUSTED_PROXIES: Joi.array().items(network).default([]),
  ...limitVariables,
  ...openIdVariables,
  RUNHOOK_DRAIN_SECONDS: Joi.number().min(0).max(600).default(2),
});

/** IP addresses and CIDR blocks. */
const networkList = Joi.array().items(network).default([]);

const poolName = Joi.string()
  .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
  .messages({ '*': '{{#label}} must consist of lowercase letters, digits and hyphens' });

/** Tests wait for something most of the time. */
const AUTO_SLOTS_PER_CORE = 4;

const versionPart = Joi.string()
  .pattern(/^[A-Za-z0-9][\w+-]{0,99}$/)
  .messages({ '*': '{{#label}} must consist of letters, digits, hyphens, underscores and plus signs' });

const absoluteFolder = Joi.string().custom((value: string, helpers) =>
  isAbsolute(value) ? resolve(value) : helpers.error('any.invalid'),
);

const mebibytes = Joi.number().positive().max(1_048_576);

const workerVariables = Joi.object({
  ...common,
  ...temporalRules,
  ...secrets,
  ...runRules,
  ...limitVariables,
  RUNHOOK_POOLS: Joi.array().items(poolName).default(['default']),
  RUNHOOK_WORKFLOWS: Joi.boolean().default(true),
  RUNHOOK_SLOTS: Joi.alternatives(Joi.valid('auto'), Joi.number().integer().min(1).max(1000)).messages({
    '*': '{{#label}} must be a whole number from 1 to 1000, or auto',
  }),
  RUNHOOK_MAX_SLOTS: Joi.number().integer().min(1).max(1000),
  RUNHOOK_TARGET_MEMORY: Joi.number().positive().max(1).default(0.8),
  RUNHOOK_WORKFLOW_LOST_MINUTES: Joi.number().positive().max(LONGEST_TIMER_MINUTES).default(10),
  RUNHOOK_SHUTDOWN_GRACE_SECONDS: Joi.number().min(0).max(86_400).default(20),
  RUNHOOK_DEPLOYMENT_NAME: versionPart.default('runhook'),
  RUNHOOK_BUILD_ID: versionPart,
  RUNHOOK_VERSIONING: Joi.string().valid('pinned', 'auto-upgrade').default('pinned'),
  RUNHOOK_HEARTBEAT_SECONDS: Joi.number().min(0.5).max(600).default(10),
  RUNHOOK_LOG_MAX_MIB: Joi.number().positive().max(1024).default(8),
  RUNHOOK_WORK_FOLDER: absoluteFolder
    // One per user, accessible only to that user.
    .default(join(tmpdir(), `runhook-work-${process.getuid?.() ?? 'worker'}`))
    .messages({ '*': '{{#label}} must be an absolute path' }),
  RUNHOOK_TEST_FOLDERS: Joi.array()
    .items(absoluteFolder)
    .default([])
    .messages({ '*': '{{#label}} must be absolute paths, separated by commas' }),
  RUNHOOK_ISOLATION: Joi.string()
    .valid('auto', ...ISOLATION_LEVELS)
    .default('auto'),
  RUNHOOK_TOOL_FOLDERS: Joi.array()
    .items(absoluteFolder)
    .default([])
    .messages({ '*': '{{#label}} must be absolute paths, separated by commas' }),
  RUNHOOK_CHROMIUM: Joi.string(),
  RUNHOOK_FIREFOX: Joi.string(),
  ...Object.fromEntries(LIMIT_NAMES.map((name) => [LIMIT_RULES[name].variable, testLimits.extract(name)])),
  RUNHOOK_GIT_PROTOCOLS: Joi.array()
    .items(Joi.valid(...GIT_PROTOCOLS))
    .default(['https', 'ssh'])
    .messages({ '*': `{{#label}} must be one or more of ${GIT_PROTOCOLS.join(', ')}, separated by commas` }),
  RUNHOOK_WORKER_SSH_KEYS: Joi.string().valid('allow', 'refuse').default('refuse'),
  RUNHOOK_SETUP_CACHE_MIB: Joi.number().positive().max(1_048_576).default(5120),
  RUNHOOK_ARTIFACT_FILE_MIB: mebibytes.default(100),
  RUNHOOK_ARTIFACT_RUN_MIB: mebibytes.default(500),
  RUNHOOK_PRIVATE_NETWORKS: Joi.string().valid('allow', 'refuse').default('allow'),
  RUNHOOK_ALLOWED_NETWORKS: networkList,
  RUNHOOK_REFUSED_NETWORKS: networkList,
}).custom((value, helpers) => {
  if (value.RUNHOOK_WORKFLOWS || value.RUNHOOK_POOLS.length > 0) return value;
  return helpers.message({
    custom: 'this worker has nothing to do: set RUNHOOK_POOLS to at least one pool, or RUNHOOK_WORKFLOWS to true',
  });
});

const setUpVariables = Joi.object({
  ...common,
  ...temporalRules,
  RUNHOOK_ADMIN_EMAIL: Joi.string()
    .pattern(/^[^\s@]+@[^\s@]+$/)
    .default('admin@localhost')
    .messages({ '*': '{{#label}} must be an email address' }),
  RUNHOOK_ADMIN_PASSWORD: Joi.string(),
});

const secretsVariables = Joi.object({ ...common, ...secrets });

const importVariables = Joi.object({ ...secrets, RUNHOOK_PUBLIC_URL: publicUrl.default('http://127.0.0.1:4000') });

/** The settings of each process or command that reads the environment, as the documentation lists them. */
export const SETTINGS = {
  server: serverVariables,
  worker: workerVariables,
  '`setup`': setUpVariables,
  '`setup --project`': importVariables,
  '`secrets rotate`': secretsVariables,
} as const;

type Env = Record<string, string | undefined>;

/** Comma-separated lists, or `none`. */
const LISTS = [
  'RUNHOOK_POOLS',
  'RUNHOOK_SECRET_KEYS',
  'RUNHOOK_TRUSTED_PROXIES',
  'RUNHOOK_GIT_PROTOCOLS',
  'RUNHOOK_ALLOWED_NETWORKS',
  'RUNHOOK_REFUSED_NETWORKS',
  'RUNHOOK_TEST_FOLDERS',
  'RUNHOOK_TOOL_FOLDERS',
];

/**
 * Checks the environment against a schema.
 * @throws ConfigError that lists every problem at once
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- joi has checked the types; each config is built field by field
function validate(schema: Joi.ObjectSchema, env: Env): Record<string, any> {
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(schema.describe().keys)) {
    const text = env[name]?.trim();
    if (!text) continue;
    given[name] = LISTS.includes(name) ? (text === 'none' ? [] : text.split(',').map((part) => part.trim())) : text;
  }
  // Messages contain no values: some are secret.
  const { error, value } = schema.validate(given, { abortEarly: false, errors: { wrap: { label: false } } });
  if (error) throw new ConfigError(error.details.map((detail) => detail.message));
  return value;
}

function commonOf(value: ReturnType<typeof validate>): CommonConfig & TemporalRules {
  const { MONGODB_URL: mongodbUrl, RUNHOOK_LOG_LEVEL: logLevel, RUNHOOK_REBIND_TEMPORAL: rebindsTemporal } = value;
  return { mongodbUrl, logLevel, rebindsTemporal };
}

function secretKeysOf(value: ReturnType<typeof validate>): Buffer[] {
  return value.RUNHOOK_SECRET_KEYS.map((key: string) => Buffer.from(key, 'base64'));
}

function runRulesOf(value: ReturnType<typeof validate>): RunRules {
  return {
    startDeadlineMs: value.RUNHOOK_START_DEADLINE_HOURS * HOUR,
    retentionMs: value.RUNHOOK_RETENTION_DAYS * 24 * HOUR,
    noRunnerMs: Math.ceil(value.RUNHOOK_NO_RUNNER_MINUTES * MINUTE),
    heartbeatTimeoutMs: Math.ceil(value.RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS * 1000),
  };
}

function limitsOf(value: ReturnType<typeof validate>): InstanceLimits {
  const set = Object.entries(LIMITS).map(([name, { variable }]) => [name, value[variable]]);
  return Object.fromEntries(set.filter(([, limit]) => limit !== undefined)) as InstanceLimits;
}

function openIdOf(value: ReturnType<typeof validate>): OpenIdConfig {
  return {
    issuer: value.RUNHOOK_OIDC_ISSUER,
    clientId: value.RUNHOOK_OIDC_CLIENT_ID,
    clientSecret: value.RUNHOOK_OIDC_CLIENT_SECRET,
    name: value.RUNHOOK_OIDC_NAME,
    allowsSignUp: value.RUNHOOK_OIDC_SIGN_UP,
  };
}

/** @throws ConfigError */
export function serverConfig(env: Env): ServerConfig {
  const value = validate(serverVariables, env);
  return {
    ...commonOf(value),
    secretKeys: secretKeysOf(value),
    host: value.RUNHOOK_HOST,
    port: value.RUNHOOK_PORT,
    opsHost: value.RUNHOOK_OPS_HOST,
    opsPort: value.RUNHOOK_OPS_PORT,
    publicUrl: value.RUNHOOK_PUBLIC_URL ?? `http://127.0.0.1:${value.RUNHOOK_PORT}`,
    temporalUiUrl: value.RUNHOOK_TEMPORAL_UI_URL,
    ...runRulesOf(value),
    startsInFlight: value.RUNHOOK_STARTS_IN_FLIGHT,
    maxPending: value.RUNHOOK_MAX_PENDING,
    validateResponses: value.RUNHOOK_CHECK_ANSWERS,
    sessionMs: value.RUNHOOK_SESSION_DAYS * 24 * HOUR,
    sessionMaxMs: value.RUNHOOK_SESSION_MAX_DAYS * 24 * HOUR,
    trustedProxies: value.RUNHOOK_TRUSTED_PROXIES,
    limits: limitsOf(value),
    openId: value.RUNHOOK_OIDC_ISSUER ? openIdOf(value) : undefined,
    drainMs: value.RUNHOOK_DRAIN_SECONDS * 1000,
  };
}

/**
 * @param cores default number of slots
 * @throws ConfigError
 */
export function workerConfig(env: Env, cores: number): WorkerConfig {
  const value = validate(workerVariables, env);
  return {
    ...commonOf(value),
    secretKeys: secretKeysOf(value),
    ...runRulesOf(value),
    limits: limitsOf(value),
    pools: value.RUNHOOK_POOLS,
    workflows: value.RUNHOOK_WORKFLOWS,
    ...(value.RUNHOOK_SLOTS === 'auto'
      ? { slots: value.RUNHOOK_MAX_SLOTS ?? AUTO_SLOTS_PER_CORE * cores, targetMemory: value.RUNHOOK_TARGET_MEMORY }
      : { slots: value.RUNHOOK_SLOTS ?? cores }),
    deployment: value.RUNHOOK_BUILD_ID && {
      name: value.RUNHOOK_DEPLOYMENT_NAME,
      buildId: value.RUNHOOK_BUILD_ID,
      versioning: value.RUNHOOK_VERSIONING === 'pinned' ? 'PINNED' : 'AUTO_UPGRADE',
    },
    workflowLostMs: value.RUNHOOK_WORKFLOW_LOST_MINUTES * MINUTE,
    shutdownGraceMs: value.RUNHOOK_SHUTDOWN_GRACE_SECONDS * 1000,
    heartbeatMs: value.RUNHOOK_HEARTBEAT_SECONDS * 1000,
    logMaxBytes: value.RUNHOOK_LOG_MAX_MIB * MIB,
    workFolder: value.RUNHOOK_WORK_FOLDER,
    testFolders: value.RUNHOOK_TEST_FOLDERS,
    isolation: { requested: value.RUNHOOK_ISOLATION, toolFolders: value.RUNHOOK_TOOL_FOLDERS },
    gitProtocols: value.RUNHOOK_GIT_PROTOCOLS,
    workerSshKeys: value.RUNHOOK_WORKER_SSH_KEYS === 'allow',
    setupCacheBytes: value.RUNHOOK_SETUP_CACHE_MIB * MIB,
    artifacts: {
      fileBytes: value.RUNHOOK_ARTIFACT_FILE_MIB * MIB,
      runBytes: value.RUNHOOK_ARTIFACT_RUN_MIB * MIB,
      projectBytes: value.RUNHOOK_LIMIT_ARTIFACTS_MIB * MIB,
    },
    privateNetworks: value.RUNHOOK_PRIVATE_NETWORKS,
    browsers: { chromium: value.RUNHOOK_CHROMIUM, firefox: value.RUNHOOK_FIREFOX },
    testLimits: limitsInForce(
      {},
      Object.fromEntries(LIMIT_NAMES.map((name) => [name, value[LIMIT_RULES[name].variable]])),
    ),
    allowedNetworks: value.RUNHOOK_ALLOWED_NETWORKS,
    refusedNetworks: value.RUNHOOK_REFUSED_NETWORKS,
  };
}

/** @throws ConfigError */
export function setUpConfig(env: Env): SetUpConfig {
  const value = validate(setUpVariables, env);
  return {
    ...commonOf(value),
    admin: { email: value.RUNHOOK_ADMIN_EMAIL, password: value.RUNHOOK_ADMIN_PASSWORD },
  };
}

/** Settings of the rotation of secret keys. @throws ConfigError */
export function secretsConfig(env: Env): SecretsConfig {
  const value = validate(secretsVariables, env);
  return { mongodbUrl: value.MONGODB_URL, logLevel: value.RUNHOOK_LOG_LEVEL, secretKeys: secretKeysOf(value) };
}

/** Settings of the import of project files. @throws ConfigError */
export function importConfig(env: Env): ImportConfig {
  const value = validate(importVariables, env);
  return { secretKeys: secretKeysOf(value), publicUrl: value.RUNHOOK_PUBLIC_URL };
}
