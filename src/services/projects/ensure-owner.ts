import type { MembershipStore } from '#src/db/people/membership-store.js';
import type { Project } from '#src/domain/records.js';

/**
 * Makes the creator of a project its owner, unless the project has members already. Completes an interrupted creation;
 * safe to repeat.
 * @throws the driver's error when the database does not respond
 */
export async function ensureOwner(
  memberships: Pick<MembershipStore, 'ofProject' | 'put'>,
  { _id, createdBy }: Pick<Project, '_id' | 'createdBy'>,
): Promise<void> {
  if (createdBy === undefined || (await memberships.ofProject(_id)).length > 0) return;
  await memberships.put(_id, createdBy, 'owner');
}
