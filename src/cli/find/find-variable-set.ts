import { closestName } from '#src/domain/project-file/closest.js';
import { isUuid } from '#src/domain/ids.js';
import { allItems } from '#src/cli/api/pages.js';
import type { VariableSetView } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { UsageError } from '#src/cli/cli-error.js';
import { oneLine } from '#src/cli/text.js';

/** Finds the ID of a variable set by name or ID. @throws UsageError, which suggests the closest name */
export async function findVariableSet(cli: Cli, projectId: string, nameOrId: string): Promise<string> {
  if (isUuid(nameOrId.toLowerCase())) return nameOrId.toLowerCase();
  const variableSets = await allItems<VariableSetView>(cli.http(), { path: `/projects/${projectId}/profiles/` });
  const found = variableSets.find(({ name }) => name === nameOrId);
  if (found) return found.id;
  const names = variableSets.map(({ name }) => name);
  const closest = closestName(nameOrId, names);
  const others = names.length > 0 ? ` Variable sets: ${names.map(oneLine).join(', ')}` : ' It has no variable sets.';
  throw new UsageError(
    `The project has no variable set "${oneLine(nameOrId)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : others}`,
  );
}
