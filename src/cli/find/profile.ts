import { closestName } from '../../domain/project-file-closest.js';
import { isUuid } from '../../domain/ids.js';
import { allItems } from '../api/pages.js';
import type { ProfileView } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { UsageError } from '../cli-error.js';
import { oneLine } from '../text.js';

/** The id of a profile of variables by its name or id. @throws UsageError that suggests the closest */
export async function findProfile(cli: Cli, projectId: string, wanted: string): Promise<string> {
  if (isUuid(wanted.toLowerCase())) return wanted.toLowerCase();
  const profiles = await allItems<ProfileView>(cli.http(), { path: `/projects/${projectId}/profiles/` });
  const found = profiles.find(({ name }) => name === wanted);
  if (found) return found.id;
  const names = profiles.map(({ name }) => name);
  const closest = closestName(wanted, names);
  const others = names.length > 0 ? ` It has: ${names.map(oneLine).join(', ')}` : ' It has none.';
  throw new UsageError(
    `The project has no profile "${oneLine(wanted)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : others}`,
  );
}
