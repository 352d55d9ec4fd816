import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { closestName } from '#src/domain/project-file/closest.js';
import { isUuid } from '#src/domain/ids.js';
import { allItems } from '#src/cli/api/pages.js';
import type { TargetView } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { UsageError } from '#src/cli/cli-error.js';
import { oneLine } from '#src/cli/text.js';
import { findProject } from './find-project.js';

/** Finds a test or suite by name or ID. @throws UsageError, which suggests the closest name */
export async function findTarget(cli: Cli, kind: TargetKind, nameOrId: string): Promise<TargetView> {
  if (isUuid(nameOrId.toLowerCase())) return cli.http().json({ path: `/${kind}s/${nameOrId.toLowerCase()}/` });
  const project = await findProject(cli);
  const path = `/projects/${project.id}/${kind}s/`;
  const found = await allItems<TargetView>(cli.http(), { path, query: { search: nameOrId } }, 500);
  const exact = found.find(({ name }) => name === nameOrId);
  if (exact) return exact;
  // Only for the suggestion, because a project may have thousands.
  const names = (await allItems<TargetView>(cli.http(), { path })).map(({ name }) => name);
  const closest = closestName(nameOrId, names);
  throw new UsageError(
    `The project "${oneLine(project.name)}" has no ${kind} "${oneLine(nameOrId)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : ` List ${kind}s with \`runhook ${kind} list\`.`}`,
  );
}
