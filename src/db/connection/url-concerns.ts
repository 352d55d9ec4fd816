/** Options of a connection string that could make writes less durable, or reads stale. */
const CONCERNS = new Set(
  ['w', 'journal', 'j', 'wtimeout', 'wtimeoutMS', 'readConcernLevel', 'readPreference', 'readPreferenceTags'].map(
    (name) => name.toLowerCase(),
  ),
).add('maxstalenessseconds');

/**
 * Removes read preference, read concern and write concern from a connection string: Runhook sets them itself.
 * @param url MongoDB connection string
 */
export function withoutConcerns(url: string): string {
  const [base, options] = split(url);
  const kept = options.filter((option) => !CONCERNS.has(nameOf(option)));
  return kept.length > 0 ? `${base}?${kept.join('&')}` : base;
}

/**
 * Finds `w=0` or `w=1` in a connection string: on a replica set, a failover would lose acknowledged writes.
 * @returns the option, such as `w=1`
 */
export function weakWriteConcern(url: string): string | undefined {
  return split(url)[1].find((option) => nameOf(option) === 'w' && /=0*[01]$/.test(option));
}

function split(url: string): [base: string, options: string[]] {
  const at = url.indexOf('?');
  return at < 0
    ? [url, []]
    : [
        url.slice(0, at),
        url
          .slice(at + 1)
          .split('&')
          .filter(Boolean),
      ];
}

const nameOf = (option: string) => option.split('=', 1)[0]!.toLowerCase();
