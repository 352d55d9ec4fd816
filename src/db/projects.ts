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

/** What a project file says of its project. */
export interface WantedProject {
  id: string;
  name: string;
  retentionDays?: number;
}

/**
 * Makes a project, or changes the one with this id. Its slug stays as it was first: addresses hold it. Safe to repeat,
 * and to call at the same time.
 */
export async function putProject(
  projects: Collection<Project>,
  { id, name, retentionDays }: WantedProject,
): Promise<void> {
  await putNamed(projects, { id, name });
  // Retention lets the runs on record follow.
  await projects.updateOne(
    { _id: id, retentionDays: { $not: retentionDays === undefined ? { $exists: false } : { $eq: retentionDays } } },
    retentionDays === undefined
      ? { $unset: { retentionDays: '' }, $currentDate: { retentionChangedAt: true } }
      : { $set: { retentionDays }, $currentDate: { retentionChangedAt: true } },
  );
}

async function putNamed(projects: Collection<Project>, { id, name }: WantedProject): Promise<void> {
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
