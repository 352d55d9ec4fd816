import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { closestName } from '#src/domain/project-file/closest.js';
import { isUuid } from '#src/domain/ids.js';
import { allItems } from '#src/cli/api/pages.js';
import type { TargetView } from '#src/cli/api/answers.js';
import type { Cli } from '#src/cli/cli.js';
import { UsageError } from '#src/cli/cli-error.js';
import { oneLine } from '#src/cli/text.js';
import { findProject } from './find-project.js';

/** @throws UsageError when no test or suite has this name or id; it suggests the closest */
export async function findTarget(cli: Cli, kind: TargetKind, nameOrId: string): Promise<TargetView> {
  if (isUuid(nameOrId.toLowerCase())) return cli.http().json({ path: `/${kind}s/${nameOrId.toLowerCase()}/` });
  const project = await findProject(cli);
  const path = `/projects/${project.id}/${kind}s/`;
  const found = await allItems<TargetView>(cli.http(), { path, query: { search: nameOrId } }, 500);
  const exact = found.find(({ name }) => name === nameOrId);
  if (exact) return exact;
  // For the suggestion; a project has at most some thousands.
  const names = (await allItems<TargetView>(cli.http(), { path })).map(({ name }) => name);
  const closest = closestName(nameOrId, names);
  throw new UsageError(
    `The project "${oneLine(project.name)}" has no ${kind} "${oneLine(nameOrId)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : ` List ${kind}s with \`runhook ${kind} list\`.`}`,
  );
}
