import type { ImportedProject } from '../services/import-project.js';
import type { KnownAdmin } from './credentials-file.js';

export interface BannerFacts {
  baseUrl: string;
  temporalUiUrl?: string;
  /** What serves as Temporal and MongoDB, in words. */
  temporal: string;
  mongodb: string;
  logs: string;
  dataDir: string;
  /** From the start of the start, in ms. */
  tookMs: number;
  /** The first account; absent, the database had accounts before. */
  admin?: KnownAdmin;
  /** The demo first. */
  projects: ImportedProject[];
}

/** What a person needs once the stack is ready, with commands to paste. */
export function banner(facts: BannerFacts): string {
  return `
  Runhook is ready (${(facts.tookMs / 1000).toFixed(1)} s)

    Web          ${facts.baseUrl}
    Sign in      ${signInOf(facts.admin)}
    Temporal UI  ${facts.temporalUiUrl ?? 'not known (RUNHOOK_TEMPORAL_UI_URL is not set)'}
    Temporal     ${facts.temporal}
    MongoDB      ${facts.mongodb}
    Logs         ${facts.logs}
${facts.projects.map((project) => commandsOf(project, facts.baseUrl)).join('')}
  Ctrl-C ends all of it; the data stays in ${facts.dataDir}.
`;
}

function signInOf(admin: KnownAdmin | undefined): string {
  if (!admin) return 'with an account of yours';
  return admin.password === undefined
    ? `${admin.email}, with the password that you have given it`
    : `${admin.email}, password ${admin.password}`;
}

function commandsOf(project: ImportedProject, baseUrl: string): string {
  const line = (kind: 'test' | 'suite', [name, id]: [string, string]) =>
    `\n  ${project.name}: run the ${kind} "${name}"\n    curl -X POST ${baseUrl}/webhooks/${project.webhookToken}/${kind}s/run/${id}\n`;
  const [test] = Object.entries(project.tests);
  const [suite] = Object.entries(project.suites);
  return (test ? line('test', test) : '') + (suite ? line('suite', suite) : '');
}
