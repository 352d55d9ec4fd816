import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const FOLDER = fileURLToPath(new URL('../../histories/', import.meta.url));

/** A history as it is replayed. */
export interface RecordedHistory {
  /** `<workflow>-<case>` */
  name: string;
  workflowId: string;
  history: { events: { eventType: string }[] };
}

/** The file of a history: `test/histories/<workflow>/<name>.json`. */
export const historyFile = (name: string) => join(FOLDER, name.slice(0, name.indexOf('-')), `${name}.json`);

/** Writes a workflow's history so far to its file. */
export async function writeHistory(name: string, handle: WorkflowHandle): Promise<void> {
  const json = historyToJSON(await handle.fetchHistory());
  const { events } = JSON.parse(json, withoutMachine) as RecordedHistory['history'];
  // One event per line, for short diffs.
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  const file = historyFile(name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `{"workflowId":"${handle.workflowId}","history":{"events":[\n${lines}\n]}}\n`);
}

/** Fields that reveal the machine, or differ at each recording, and that a replay ignores. */
function withoutMachine(key: string, value: unknown): unknown {
  if (['stackTrace', 'requestId', 'stickyScheduleToStartTimeout', 'meteringMetadata'].includes(key)) return undefined;
  if (key === 'identity' || key === 'workerIdentity') return 'worker';
  if (key === 'taskQueue' && isSticky(value)) return { name: 'sticky', kind: 'TASK_QUEUE_KIND_STICKY' };
  return value;
}

function isSticky(value: unknown): boolean {
  return (value as { kind?: string } | null)?.kind === 'TASK_QUEUE_KIND_STICKY';
}

/** All recorded histories. @throws Error if there are none, because a replay of nothing would pass */
export async function readHistories(): Promise<RecordedHistory[]> {
  const files = (await readdir(FOLDER, { recursive: true })).filter((file) => file.endsWith('.json')).sort();
  if (files.length === 0) throw new Error('test/histories/ has no history. Record them: npm run record:histories');
  return Promise.all(
    files.map(async (file) => {
      const recorded = JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as Omit<RecordedHistory, 'name'>;
      return { name: basename(file, '.json'), ...recorded };
    }),
  );
}
