import { closestName } from '#src/domain/project-file/closest.js';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RouteDeps } from '#src/server/route-deps.js';

/** Suggestions of tests and of suites each. */
const MAX_SUGGESTED = 100;
/** A search for a name also finds longer ones. */
const MAX_SEARCHED = 500;

type Definitions = Pick<RouteDeps['definitions'], 'tests' | 'suites'>;

/** Names that the form suggests. */
export async function targetNames({ tests, suites }: Definitions, projectId: string): Promise<string[]> {
  const filter = { projectId, isArchived: false };
  const pages = await Promise.all([suites, tests].map((one) => one.list(filter, { limit: MAX_SUGGESTED })));
  return [...new Set(pages.flatMap(({ items }) => items.map(({ name }) => name)))];
}

/** The test or suite of this name, or why there is none. */
export async function findTargetId(
  definitions: Definitions,
  projectId: string,
  kind: TargetKind,
  name = '',
): Promise<{ id: string } | { id?: undefined; problem: string }> {
  if (name === '') return { problem: `Enter the name of the ${kind}.` };
  const list = async (search?: string) => {
    const filter = { projectId, isArchived: false, search };
    return (await definitions[`${kind}s`].list(filter, { limit: MAX_SEARCHED })).items;
  };
  const exact = (await list(name)).find((target) => target.name === name);
  if (exact) return { id: exact._id };
  const names = (await list()).map((target) => target.name);
  const close = closestName(name, names);
  return { problem: `No ${kind} has this name.${close === undefined ? '' : ` Did you mean “${close}”?`}` };
}
