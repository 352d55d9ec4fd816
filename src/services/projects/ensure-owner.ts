import type { MembershipStore } from '#src/db/people/membership-store.js';
import type { Project } from '#src/domain/records.js';

/**
 * Makes who created a project its owner, if the call that made it did not come so far. Safe to repeat: a project that has
 * members gets no other.
 * @throws the driver's error when the database does not answer
 */
export async function ensureOwner(
  memberships: Pick<MembershipStore, 'ofProject' | 'put'>,
  { _id, createdBy }: Pick<Project, '_id' | 'createdBy'>,
): Promise<void> {
  if (createdBy === undefined || (await memberships.ofProject(_id)).length > 0) return;
  await memberships.put(_id, createdBy, 'owner');
}
