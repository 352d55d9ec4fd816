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
