/* Every limit of the instance that is set by the environment; the configuration and the documentation use this table. */

export interface LimitRule {
  /** For the documentation. */
  text: string;
  variable: string;
  /** Undefined: derived from another limit (see `effectiveLimits`). */
  default?: number;
  max: number;
}

const MANY = 1_000_000_000;

export const LIMITS = {
  tokenTriggersPerMinute: {
    text: 'Triggers per minute with one webhook token',
    variable: 'RUNHOOK_LIMIT_TOKEN_TRIGGERS_PER_MINUTE',
    default: 6000,
    max: MANY,
  },
  tokenBurst: {
    text: 'Triggers at once with one webhook token',
    variable: 'RUNHOOK_LIMIT_TOKEN_BURST',
    max: MANY,
  },
  projectTriggersPerMinute: {
    text: 'Triggers per minute of one project',
    variable: 'RUNHOOK_LIMIT_PROJECT_TRIGGERS_PER_MINUTE',
    default: 12_000,
    max: MANY,
  },
  projectBurst: {
    text: 'Triggers at once of one project',
    variable: 'RUNHOOK_LIMIT_PROJECT_BURST',
    max: MANY,
  },
  openRuns: {
    text: 'Open runs of one project, including the tests of its suites',
    variable: 'RUNHOOK_LIMIT_OPEN_RUNS',
    default: 20_000,
    max: MANY,
  },
  // The line's workflow passes its waiting runs on when it continues as new: 120 bytes per run.
  waitingSuiteRuns: {
    text: 'Runs of one suite that wait for their turn if its runs must not overlap',
    variable: 'RUNHOOK_LIMIT_WAITING_SUITE_RUNS',
    default: 100,
    max: 1000,
  },
  artifactsMib: {
    text: 'Files kept of all runs of one project, in MiB; further files are not kept',
    variable: 'RUNHOOK_LIMIT_ARTIFACTS_MIB',
    default: 10_240,
    max: MANY,
  },
  refusalsPerMinute: {
    text: 'Refused requests of one address per minute and server. Above it, invalid requests return 429 after one to two seconds; valid tokens still work',
    variable: 'RUNHOOK_LIMIT_REFUSALS_PER_MINUTE',
    default: 60,
    max: MANY,
  },
  connections: {
    text: 'Connections of one server',
    variable: 'RUNHOOK_LIMIT_CONNECTIONS',
    default: 10_000,
    max: 1_000_000,
  },
  connectionsPerAddress: {
    text: 'Connections of one server from one address, except trusted proxies',
    variable: 'RUNHOOK_LIMIT_CONNECTIONS_PER_ADDRESS',
    default: 1000,
    max: 1_000_000,
  },
  streams: {
    text: 'Open live pages of one server, one connection each',
    variable: 'RUNHOOK_LIMIT_STREAMS',
    default: 2000,
    max: 1_000_000,
  },
} as const satisfies Record<string, LimitRule>;

export type LimitName = keyof typeof LIMITS;

/** Limits that can be set per project. */
export const PROJECT_LIMITS = [
  'tokenTriggersPerMinute',
  'tokenBurst',
  'projectTriggersPerMinute',
  'projectBurst',
  'openRuns',
  'waitingSuiteRuns',
  'artifactsMib',
] as const satisfies LimitName[];

export type ProjectLimitName = (typeof PROJECT_LIMITS)[number];

/** Limits set for a project; for others those of the instance apply. */
export type OwnLimits = Partial<Record<ProjectLimitName, number>>;

/** The effective limits of a project. */
export type ProjectLimits = Record<ProjectLimitName, number>;

/** Limits set by the environment. */
export type InstanceLimits = Record<Exclude<LimitName, 'tokenBurst' | 'projectBurst'>, number> &
  Partial<Record<'tokenBurst' | 'projectBurst', number>>;

/** The limits of a project. A burst that is not set equals the permits of a minute. */
export function effectiveLimits(instance: InstanceLimits, own: OwnLimits = {}): ProjectLimits {
  const tokenTriggersPerMinute = own.tokenTriggersPerMinute ?? instance.tokenTriggersPerMinute;
  const projectTriggersPerMinute = own.projectTriggersPerMinute ?? instance.projectTriggersPerMinute;
  return {
    tokenTriggersPerMinute,
    tokenBurst:
      own.tokenBurst ?? (own.tokenTriggersPerMinute ? undefined : instance.tokenBurst) ?? tokenTriggersPerMinute,
    projectTriggersPerMinute,
    projectBurst:
      own.projectBurst ??
      (own.projectTriggersPerMinute ? undefined : instance.projectBurst) ??
      projectTriggersPerMinute,
    openRuns: own.openRuns ?? instance.openRuns,
    waitingSuiteRuns: own.waitingSuiteRuns ?? instance.waitingSuiteRuns,
    artifactsMib: own.artifactsMib ?? instance.artifactsMib,
  };
}

export const DEFAULT_LIMITS: InstanceLimits = Object.fromEntries(
  Object.entries(LIMITS).flatMap(([name, rule]) => ('default' in rule ? [[name, rule.default]] : [])),
) as unknown as InstanceLimits;
