import type { Collection, Filter } from 'mongodb';
import type { Collections } from '#src/db/schema/collections.js';
import type { MembershipStore } from '#src/db/people/membership-store.js';
import type { ProjectStore } from '#src/db/projects/project-store.js';
import { SETUP_ORIGIN } from '#src/db/schema/setup-projects.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { legacyProjectIdOf } from '#src/domain/ids.js';
import type { Project, ProjectOrigin } from '#src/domain/records.js';
import type { Principal } from '#src/domain/people/rights.js';
import { ensureOwner } from './ensure-owner.js';

const OPTIONS = { maxTimeMS: 2000 };
const MAX_LISTED = 5;

export interface ProjectOfFileDeps {
  collections: Pick<Collections, 'projects'>;
  store: Pick<ProjectStore, 'findByOrigin'>;
  memberships: Pick<MembershipStore, 'ofUser' | 'ofProject' | 'put'>;
}

/** The origin of a project that this person creates with a file of this name. */
export function originOf({ userId }: Principal, name: string): ProjectOrigin {
  return { by: `user ${userId}`, name };
}

/**
 * Finds the project of a file without `id` among the projects of the importer: the one that they imported by this name,
 * else one that was imported by this name, else one that has this name now. For an admin, these include the projects that
 * set-up created. Other people's projects are never found, because names are not unique.
 * @returns undefined when the import creates a project
 * @throws InvalidInputError when several projects match
 */
export async function projectOfFile(
  { collections, store, memberships }: ProjectOfFileDeps,
  principal: Principal,
  name: string,
): Promise<Project | undefined> {
  const origin = principal.userId === undefined ? undefined : originOf(principal, name);
  // An interrupted import may have created the project without its owner.
  const created = origin && (await store.findByOrigin(origin));
  if (created) await ensureOwner(memberships, created);
  const own =
    principal.userId === undefined
      ? [principal.projectId!]
      : (await memberships.ofUser(principal.userId)).map(({ projectId }) => projectId);
  const byFile = [{ 'origin.name': name }, { _id: legacyProjectIdOf(name) }];
  const found = await find(collections.projects, [
    { _id: { $in: own }, $or: [...byFile, { name }] },
    ...(principal.isAdmin ? [{ 'origin.by': { $in: [SETUP_ORIGIN, origin!.by] }, $or: byFile }] : []),
  ]);
  const rank = (project: Project): number => {
    const matches = [project.origin?.name === name && project.origin.by === origin?.by, isOfFile(project, name), true];
    return matches.indexOf(true) * 2 + (project.archivedAt ? 1 : 0);
  };
  const bestRank = Math.min(...found.map(rank));
  const best = found.filter((project) => rank(project) === bestRank);
  if (best.length > 1) throw ambiguous(name, best);
  return best[0];
}

const isOfFile = (project: Project, name: string) =>
  project.origin?.name === name || project._id === legacyProjectIdOf(name);

function find(projects: Collection<Project>, filters: object[]): Promise<Project[]> {
  return projects.find({ $or: filters } as Filter<Project>, OPTIONS).toArray();
}

function ambiguous(name: string, projects: readonly Project[]): InvalidInputError {
  const ids = projects.slice(0, MAX_LISTED).map(({ _id }) => _id);
  const more = projects.length > MAX_LISTED ? ' and others' : '';
  return new InvalidInputError(
    `Several of your projects match the name "${name}": ${ids.join(', ')}${more}. Add the \`id\` of the right one to the file.`,
  );
}
