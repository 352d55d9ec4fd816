import type { Collection } from 'mongodb';
import type { Project } from '../domain/records.js';
import { isDuplicateKey } from './duplicate-key.js';

const LONGEST_SLUG = 60;

/** A name as part of an address: lower-case ASCII letters, digits and dashes; `project` when nothing is left of it. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '');
  return words || 'project';
}

/** A project by its id. */
export async function findProject(projects: Collection<Project>, id: string): Promise<Project | undefined> {
  return (await projects.findOne({ _id: id })) ?? undefined;
}

/**
 * Makes a project, or renames the one with this id. Its slug stays as it was first: addresses hold it. Safe to repeat,
 * and to call at the same time.
 */
export async function putProject(
  projects: Collection<Project>,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const slug = slugOf(name);
  // A slug that another project has gets a part of the id, which is the same at every try.
  for (const candidate of [slug, `${slug}-${id.slice(0, 8)}`, `${slug}-${id}`]) {
    const { matchedCount } = await projects.updateOne({ _id: id }, { $set: { name } });
    if (matchedCount === 1) return;
    try {
      await projects.insertOne({ _id: id, name, slug: candidate, createdAt: new Date() });
      return;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  // The last insert may have lost to another import of this project.
  const { matchedCount } = await projects.updateOne({ _id: id }, { $set: { name } });
  if (matchedCount === 0) throw new Error(`No address is free for the project "${name}"; give it another name.`);
}
