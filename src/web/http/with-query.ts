type Value = string | readonly string[] | undefined;

/** A path with a query of the values that are set. */
export function withQuery(path: string, fields: Record<string, Value>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) query.append(name, one);
  return query.size > 0 ? `${path}?${query}` : path;
}
