import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIB } from '#src/lib/bytes.js';
import type { TestLimits } from '#src/domain/targets/definitions.js';
import { DEATH_MS } from '#activities/processes/process-group.js';
import type { GroupLimit, Hierarchy } from './find-hierarchies.js';
import { endGroups, killMembers, write } from './group-files.js';

/** The control groups of one execution: one in cgroup v2, one per controller in v1. */
export interface Cgroup {
  folders: string[];
  /** The limit that was reached, if any. */
  reachedLimit(): GroupLimit | undefined;
  /** Kills every process in it, including those that left their process group or cleared their environment. */
  kill(): void;
  /** Kills remaining processes and removes the groups. */
  remove(): Promise<void>;
}

/**
 * Creates the control groups of an execution.
 * @param name of the group, see group-files
 * @throws the system's error when a group cannot be created
 */
export async function createCgroup(hierarchies: Hierarchy[], name: string, limits: TestLimits): Promise<Cgroup> {
  const folders: string[] = [];
  const hits: { limitName: GroupLimit; file: string; key: string }[] = [];

  try {
    for (const { folder: parent, controllers } of hierarchies) {
      const folder = join(parent, name);
      mkdirSync(folder);
      folders.push(folder);
      for (const [limitName, files] of Object.entries(controllers) as [GroupLimit, typeof controllers.processes][]) {
        const limit = limits[limitName];
        if (limit === undefined || !files) continue;
        const value = String(limitName === 'memoryMiB' ? limit * MIB : limit);
        writeFileSync(join(folder, files.limit), value);
        for (const [file, extra] of Object.entries(files.extra ?? {}))
          write(join(folder, file), extra === 'limit' ? value : extra);
        hits.push({ limitName, file: join(folder, files.hits[0]), key: files.hits[1] });
      }
    }
  } catch (error) {
    await endGroups(folders, DEATH_MS);
    throw error;
  }

  return {
    folders,
    reachedLimit: () => hits.find(({ file, key }) => countIn(file, key) > 0)?.limitName,
    kill: () => folders.forEach(killMembers),
    remove: () => endGroups(folders, DEATH_MS),
  };
}

/** A value in a file with lines of the form `key number`; 0 if missing. */
function countIn(file: string, key: string): number {
  try {
    return Number(new RegExp(`^${key} (\\d+)`, 'm').exec(readFileSync(file, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
