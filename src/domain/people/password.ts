/** Length of a password in characters. Beyond the maximum, it only costs hashing time. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** The form that is hashed and measured: independent of how a keyboard composes characters. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC');
}

/** What is wrong with a new password; undefined if it is acceptable. */
export function passwordProblem(password: string, email: string): string | undefined {
  const normal = normalPassword(password);
  const { length } = [...normal];
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max)
    return `The password must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`;
  if (normal.trim().toLowerCase() === email.trim().toLowerCase()) return 'The password must not be your email address.';
  return undefined;
}
