import type { lookup as systemLookup } from 'node:dns';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import type { NetworkPolicy } from '#activities/network/policy.js';
import { createIsolation } from '#activities/isolation/isolation.js';
import { createLauncher } from '#activities/processes/launcher.js';
import { startReaper } from '#activities/processes/reaper.js';
import { createProcessRunner } from '#activities/processes/run-process.js';
import type { Attempt } from '#activities/runners/runner.js';
import { openSources } from '#activities/sources/sources.js';
import type { Workspace } from '#activities/sources/workspace.js';
import type { CommandTest } from '#src/domain/targets/definitions.js';
import { randomId } from '#src/domain/ids.js';
import type { AttemptVerdict, TestRun } from '#src/domain/runs/run.js';
import { aTestDefinition, aTestRun } from '#test/builders/run.js';
import { pathWithBubblewrap } from '#test/support/debian/bubblewrap.js';
import { attemptOf, processesWith, textLog } from '#test/fixtures/commands/support.js';

/** Prepares files like a worker, in a folder of its own. */
export interface TestSources {
  folder: string;
  workFolder: string;
  workerId: string;
  open(definition: Partial<CommandTest>, more?: Partial<Attempt> & { run?: Partial<TestRun> }): Promise<Opened>;
  /** Existing folders of attempts. */
  attempts(): string[];
  /** Running processes of the worker. */
  left(): number[];
  close(): Promise<void>;
}

export type Opened = (Workspace | AttemptVerdict) & { logged: string };

export async function startSources(
  gitProtocols: string[] = ['file', 'http'],
  privateNetworks: NetworkPolicy['privateNetworks'] = 'allow',
  {
    resolve,
    isolated = false,
    ...policy
  }: Pick<NetworkPolicy, 'allowed'> & { resolve?: typeof systemLookup; isolated?: boolean } = {},
): Promise<TestSources> {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-sources-'));
  const workFolder = join(folder, 'work');
  const workerId = randomId();
  const projectId = randomId();
  const reaper = await startReaper(workerId);
  const launcher = await createLauncher();
  const isolation = isolated
    ? await createIsolation({
        requested: 'namespaces',
        toolFolders: [],
        folder: launcher.folder,
        path: await pathWithBubblewrap(() => {}),
      })
    : undefined;
  const processes = createProcessRunner({ workerId, reaper, launcher, isolation });
  const warnings: string[] = [];
  const guard = createNetworkGuard({ privateNetworks, ...policy }, resolve);
  const options = {
    workerId,
    workFolder,
    testFolders: [folder, join(folder, 'checks'), ...(isolated ? ['/'] : [])],
    gitProtocols,
    setupCacheBytes: 2 ** 30,
    isolates: isolated,
    processes,
    guard,
  };
  const sources = await openSources({ ...options, warn: (message) => warnings.push(message) });
  return {
    folder,
    workFolder,
    workerId,
    async open(definition, { run, ...more } = {}) {
      const log = textLog();
      const test = aTestDefinition({ cwd: undefined, ...definition });
      const attempt = attemptOf({ projectId, log, variables: { ...definition.env }, ...more });
      const opened = await sources.openWorkspace(aTestRun({ projectId, definition: test, ...run }), attempt);
      return { ...opened, logged: log.text() };
    },
    attempts: () => readdirSync(join(workFolder, 'workers', workerId)).filter((name) => name.startsWith('attempt-')),
    left: () => processesWith(workerId),
    async close() {
      await sources.close();
      await launcher.stop();
      await reaper.stop();
      rmSync(folder, { recursive: true });
      if (warnings.length > 0) throw new Error(warnings.join('\n'));
    },
  };
}

/** @throws Error if there is a verdict instead */
export function workspaceOf(opened: Opened): Workspace {
  if ('status' in opened) throw new Error(`${opened.errorMessage ?? opened.status}\n${opened.logged}`);
  return opened;
}

/** @throws Error if the files were prepared */
export function verdictOf(opened: Opened): AttemptVerdict {
  if ('status' in opened) return opened;
  throw new Error(`the files are there: ${opened.folder}`);
}
