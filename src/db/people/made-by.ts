/** Who made an invitation or a token. Old documents contain the email only. */
export interface Maker {
  userId: string;
  email: string;
}

/** What a person made. */
export function madeBy({ userId, email }: Maker) {
  return { $or: [{ createdById: userId }, { createdById: { $exists: false }, createdBy: email }] };
}
