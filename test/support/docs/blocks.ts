import { readdir, readFile } from 'node:fs/promises';
import { API_ERROR_CODES } from '#src/domain/api-error-codes.js';
import { createMetrics } from '#src/server/metrics/metrics.js';
import { processIo } from '#src/cli/io.js';
import { createProgram } from '#src/cli/program.js';
import { ERROR_TEXTS } from '#src/web/texts/error-texts.js';
import { cliReference } from '#test/support/cli/cli-reference.js';
import { code, table } from './markdown.js';
import { fieldsTable } from './project-file.js';
import { limitsTable, settingsTable, testLimitsTable } from './settings.js';

/** The folder of the documentation. */
export const DOCS = new URL('../../../docs/', import.meta.url);

/** Generators of the content between `<!-- generated: NAME -->` and `<!-- /generated -->`, by name. */
export const BLOCKS: Record<string, () => string | Promise<string>> = {
  settings: settingsTable,
  limits: limitsTable,
  'test-limits': testLimitsTable,
  'error-codes': errorCodes,
  'api-errors': apiErrors,
  metrics: metricsTable,
  cli: cliCommands,
  'project-fields': () => fieldsTable('project'),
  'test-fields': () => fieldsTable('test'),
  'suite-fields': () => fieldsTable('suite'),
  'schedule-fields': () => fieldsTable('schedule'),
  'git-fields': () => fieldsTable('git'),
  'browser-fields': () => fieldsTable('browser'),
  'http-fields': () => fieldsTable('http'),
  'http-request-fields': () => fieldsTable('request'),
  'http-expect-fields': () => fieldsTable('expectation'),
  decisions,
};

const MARKED = /(<!-- generated: ([a-z-]+) -->\n)[^]*?(<!-- \/generated -->)/g;

/** Names of the blocks that a page contains. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(MARKED)].map(([, , name]) => name!);
}

/** The page with regenerated blocks. */
export async function regenerated(page: string): Promise<string> {
  const contents = new Map<string, string>();
  for (const name of blocksOf(page)) {
    const generate = BLOCKS[name];
    if (!generate) throw new Error(`There is no block "${name}"; the blocks are ${Object.keys(BLOCKS).join(', ')}`);
    contents.set(name, await generate());
  }
  return page.replaceAll(MARKED, (_, open: string, name: string, close: string) => {
    return `${open}\n${contents.get(name)!.trim()}\n\n${close}`;
  });
}

function errorCodes(): string {
  return table(
    ['Error code', 'Meaning', 'What to do'],
    Object.entries(ERROR_TEXTS).map(([name, { meaning, remedy }]) => [code(name), meaning, remedy]),
  );
}

function apiErrors(): string {
  return table(
    ['Status', '`code`', 'Meaning'],
    Object.entries(API_ERROR_CODES).map(([name, { status, text }]) => [String(status), code(name), text]),
  );
}

async function metricsTable(): Promise<string> {
  const { registry } = createMetrics({
    pendingStarts: async () => ({ pending: 0 }),
    runsByStatus: async () => ({}),
    runners: async () => [],
    starts: () => ({ results: {}, inFlight: 0, inFlightLimit: 0, isEngineDown: false }) as never,
    refusedSchedules: async () => 0,
    maintenance: async () => [],
  });
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('runhook_'));
  return table(
    ['Metric', 'Type', 'Meaning'],
    own
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map((metric) => {
        const {
          name,
          help,
          labelNames = [],
        } = metric as unknown as { name: string; help: string; labelNames?: string[] };
        const labels = labelNames.length > 0 ? `{${labelNames.join()}}` : '';
        return [code(`${name}${labels}`), metric.constructor.name.toLowerCase(), help];
      }),
  );
}

function cliCommands(): string {
  const parts = { setUp: async () => {}, rotateSecrets: async () => 0 as const, checkServerParts: async () => [] };
  return cliReference(createProgram({ io: processIo(), version: '0', ended: () => {} }, parts));
}

const DECISION_TOPICS = {
  runs: 'Runs and workflows',
  tests: 'Tests',
  workers: 'Workers and pools',
  people: 'People and projects',
  web: 'Web app',
  operations: 'Operations',
};

/** Pages of docs/decisions by topic. @throws Error for a folder without a title */
async function decisions(): Promise<string> {
  const root = new URL('decisions/', DOCS);
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const unknown = folders.filter(({ name }) => !Object.hasOwn(DECISION_TOPICS, name));
  if (unknown.length > 0) throw new Error(`docs/decisions: no title for ${unknown.map(({ name }) => name).join(', ')}`);
  const sections = Object.entries(DECISION_TOPICS).map(async ([folder, title]) => {
    const names = (await readdir(new URL(`${folder}/`, root))).filter((name) => name.endsWith('.md')).sort();
    const links = names.map(async (name) => {
      const [heading] = (await readFile(new URL(`${folder}/${name}`, root), 'utf8')).split('\n');
      return `- [${heading!.replace(/^# /, '')}](${folder}/${name})`;
    });
    return `## ${title}\n\n${(await Promise.all(links)).join('\n')}`;
  });
  return (await Promise.all(sections)).join('\n\n');
}
