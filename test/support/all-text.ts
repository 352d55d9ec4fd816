/** Everything in a value as one text; bytes are decoded as UTF-8, like Temporal's payloads. */
export function allText(value: unknown): string {
  const seen = new Set<object>();
  const parts: string[] = [];
  const walk = (one: unknown): void => {
    if (one instanceof Uint8Array) parts.push(Buffer.from(one).toString());
    else if (typeof one !== 'object' || one === null) parts.push(String(one));
    else if (!seen.has(one)) {
      seen.add(one);
      for (const [key, inner] of one instanceof Map ? one : Object.entries(one)) {
        parts.push(String(key));
        walk(inner);
      }
    }
  };
  walk(value);
  return parts.join('\n');
}
