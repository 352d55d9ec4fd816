/** A word for a shell: Git starts ssh and helpers with one. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
