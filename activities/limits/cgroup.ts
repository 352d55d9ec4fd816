import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIB } from '#src/lib/bytes.js';
import type { TestLimits } from '#src/domain/targets/definitions.js';
import { DEATH_MS } from '#activities/processes/process-group.js';
import type { Controlled, Hierarchy } from './find-hierarchies.js';
import { endGroups, killMembers, write } from './group-files.js';

/** The control groups of one execution: one in version 2, one a controller in version 1. */
export interface Cgroup {
  folders: string[];
  /** Which limit was hit, if one was. */
  hit(): Controlled | undefined;
  /** Ends every process in it, wherever it went and whatever it made of its environment. */
  kill(): void;
  /** Ends what is left, and removes it. */
  remove(): Promise<void>;
}

/**
 * Makes the groups of an execution.
 * @param name of the group, see group-files
 * @throws the system's error when a group cannot be made
 */
export async function createCgroup(hierarchies: Hierarchy[], name: string, limits: TestLimits): Promise<Cgroup> {
  const folders: string[] = [];
  const hits: { controlled: Controlled; file: string; key: string }[] = [];

  try {
    for (const { folder: parent, controllers } of hierarchies) {
      const folder = join(parent, name);
      mkdirSync(folder);
      folders.push(folder);
      for (const [controlled, files] of Object.entries(controllers) as [Controlled, typeof controllers.processes][]) {
        const limit = limits[controlled];
        if (limit === undefined || !files) continue;
        const value = String(controlled === 'memoryMiB' ? limit * MIB : limit);
        writeFileSync(join(folder, files.limit), value);
        for (const [file, other] of Object.entries(files.also ?? {}))
          write(join(folder, file), other === 'limit' ? value : other);
        hits.push({ controlled, file: join(folder, files.hits[0]), key: files.hits[1] });
      }
    }
  } catch (error) {
    await endGroups(folders, DEATH_MS);
    throw error;
  }

  return {
    folders,
    hit: () => hits.find(({ file, key }) => countIn(file, key) > 0)?.controlled,
    kill: () => folders.forEach(killMembers),
    remove: () => endGroups(folders, DEATH_MS),
  };
}

/** A number of a file of lines `key number`; 0 when it is not there. */
function countIn(file: string, key: string): number {
  try {
    return Number(new RegExp(`^${key} (\\d+)`, 'm').exec(readFileSync(file, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
