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
const NAMED_AT_MOST = 5;

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
 * The project that a file without an id is about: of the importer's own projects, the one that they imported by this name,
 * else the one that was imported by this name, else the one that is named so now. An admin's own projects include
 * those that set-up created. Projects of others are never found: a name may be used many times.
 * @returns undefined when the import creates a project
 * @throws InvalidInputError when several projects fit
 */
export async function projectOfFile(
  { collections, store, memberships }: ProjectOfFileDeps,
  principal: Principal,
  name: string,
): Promise<Project | undefined> {
  const origin = principal.userId === undefined ? undefined : originOf(principal, name);
  // An import that was cut off may have created the project and not its owner.
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
    const fits = [project.origin?.name === name && project.origin.by === origin?.by, isOfFile(project, name), true];
    return fits.indexOf(true) * 2 + (project.archivedAt ? 1 : 0);
  };
  const best = Math.min(...found.map(rank));
  const fitting = found.filter((project) => rank(project) === best);
  if (fitting.length > 1) throw ambiguous(name, fitting);
  return fitting[0];
}

const isOfFile = (project: Project, name: string) =>
  project.origin?.name === name || project._id === legacyProjectIdOf(name);

function find(projects: Collection<Project>, filters: object[]): Promise<Project[]> {
  return projects.find({ $or: filters } as Filter<Project>, OPTIONS).toArray();
}

function ambiguous(name: string, projects: readonly Project[]): InvalidInputError {
  const ids = projects.slice(0, NAMED_AT_MOST).map(({ _id }) => _id);
  const more = projects.length > NAMED_AT_MOST ? ' and others' : '';
  return new InvalidInputError(
    `Several of your projects match the name "${name}": ${ids.join(', ')}${more}. Add the \`id\` of the right one to the file.`,
  );
}
