import { closestName } from '../../domain/project-file-closest.js';
import { isUuid } from '../../domain/ids.js';
import { allItems } from '../api/pages.js';
import type { TargetKind, TargetView } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { UsageError } from '../cli-error.js';
import { oneLine } from '../text.js';
import { findProject } from './project.js';

/** @throws UsageError when no test or suite has this name or id; it suggests the closest */
export async function findTarget(cli: Cli, kind: TargetKind, wanted: string): Promise<TargetView> {
  if (isUuid(wanted.toLowerCase())) return cli.http().json({ path: `/${kind}s/${wanted.toLowerCase()}/` });
  const project = await findProject(cli);
  const path = `/projects/${project.id}/${kind}s/`;
  const found = await allItems<TargetView>(cli.http(), { path, query: { search: wanted } }, 500);
  const exact = found.find(({ name }) => name === wanted);
  if (exact) return exact;
  // Nobody waits for a suggestion long: a project has at most some thousands.
  const names = (await allItems<TargetView>(cli.http(), { path })).map(({ name }) => name);
  const closest = closestName(wanted, names);
  throw new UsageError(
    `The project "${oneLine(project.name)}" has no ${kind} "${oneLine(wanted)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : ` See: runhook ${kind} list`}`,
  );
}
