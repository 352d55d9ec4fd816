/** Where the web app links into the documentation; `about` completes "Learn more about …". */
export const DOC_LINKS = {
  artifacts: { path: '/docs/results#artifacts', about: 'artifacts' },
  browserSteps: { path: '/docs/browser-tests#steps', about: 'steps' },
  commandTests: { path: '/docs/command-tests', about: 'command tests' },
  cron: { path: '/docs/schedules#cron-expressions', about: 'cron expressions' },
  errorCodes: { path: '/docs/runs#error-codes', about: 'error codes' },
  gitRepositories: { path: '/docs/test-files#git-repositories', about: 'Git repositories' },
  httpRequests: { path: '/docs/http-tests#requests', about: 'requests' },
  invitations: { path: '/docs/people#invitations', about: 'invitations' },
  junitResults: { path: '/docs/results#junit-results', about: 'JUnit results' },
  limits: { path: '/docs/limits', about: 'limits' },
  operations: { path: '/docs/operations#outages', about: 'outages' },
  outagesAndOverlap: { path: '/docs/schedules#outages-and-overlap', about: 'outages and overlap' },
  pools: { path: '/docs/pools', about: 'pools' },
  projectFiles: { path: '/docs/project-files', about: 'project files' },
  roles: { path: '/docs/people#roles', about: 'roles' },
  runs: { path: '/docs/runs', about: 'runs' },
  schedules: { path: '/docs/schedules', about: 'schedules' },
  setupCommands: { path: '/docs/test-files#setup-commands', about: 'setup commands' },
  testLimits: { path: '/docs/limits#test-limits', about: 'test limits' },
  tokens: { path: '/docs/people#api-tokens', about: 'API tokens' },
  variables: { path: '/docs/variables', about: 'variables' },
  webhookTokens: { path: '/docs/webhook#webhook-tokens', about: 'webhook tokens' },
  webhooks: { path: '/docs/webhook', about: 'webhooks' },
  workingFolders: { path: '/docs/test-files#working-folders', about: 'working folders' },
} as const satisfies Record<string, { path: `/docs${string}`; about: string }>;

export type DocTopic = keyof typeof DOC_LINKS;
