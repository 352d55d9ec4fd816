const MAX_LENGTH = 60;

/** A name for URLs: lower-case ASCII letters, digits and dashes; `project` if it contains none of them. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return words || 'project';
}
