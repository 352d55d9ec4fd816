/** Lengths of a password, in characters. Long ones are good; beyond this they only cost time. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** As it is hashed and measured: the same text however a keyboard composes it. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC');
}

/** What is wrong with a password that somebody chose; undefined when it will do. */
export function passwordProblem(password: string, email: string): string | undefined {
  const normal = normalPassword(password);
  const { length } = [...normal];
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max)
    return `A password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`;
  if (normal.trim().toLowerCase() === email.trim().toLowerCase())
    return 'The password must not be your e-mail address.';
  return undefined;
}
