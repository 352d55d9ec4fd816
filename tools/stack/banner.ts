import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import type { KnownAdmin } from './credentials-file.js';

export interface BannerFacts {
  baseUrl: string;
  temporalUiUrl?: string;
  /** Descriptions of Temporal and MongoDB. */
  temporal: string;
  mongodb: string;
  /** How commands of tests are isolated. */
  isolation: string;
  logs: string;
  dataDir: string;
  /** Startup time in ms. */
  tookMs: number;
  /** The first account; absent: the database already had accounts. */
  admin?: KnownAdmin;
  /** The demo first. */
  projects: ImportedProject[];
}

/** Printed once the stack is ready: addresses, credentials and example commands. */
export function banner(facts: BannerFacts): string {
  return `
  Runhook is ready (${(facts.tookMs / 1000).toFixed(1)} s)

    Web app      ${facts.baseUrl}
    Sign in      ${signInOf(facts.admin)}
    Temporal UI  ${facts.temporalUiUrl ?? 'unknown (RUNHOOK_TEMPORAL_UI_URL is not set)'}
    Temporal     ${facts.temporal}
    MongoDB      ${facts.mongodb}
    Isolation    ${facts.isolation}
    Logs         ${facts.logs}
${facts.projects.map((project) => commandsOf(project, facts.baseUrl)).join('')}
  Press Ctrl-C to stop. Data is kept in ${facts.dataDir}.
`;
}

function signInOf(admin: KnownAdmin | undefined): string {
  if (!admin) return 'with your account';
  return admin.password === undefined
    ? `${admin.email}, with your password`
    : `${admin.email}, password ${admin.password}`;
}

function commandsOf(project: ImportedProject, baseUrl: string): string {
  const line = (kind: TargetKind, [name, id]: [string, string]) =>
    `\n  ${project.name}: run the ${kind} "${name}"\n    curl -X POST ${baseUrl}/webhooks/${project.webhookToken}/${kind}s/run/${id}\n`;
  const [test] = Object.entries(project.tests);
  const [suite] = Object.entries(project.suites);
  return (test ? line('test', test) : '') + (suite ? line('suite', suite) : '');
}
