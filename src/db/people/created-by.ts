/** The person who created an invitation or a token. Old documents contain only the email. */
export interface Creator {
  userId: string;
  email: string;
}

/** Matches the documents that a person created. */
export function createdBy({ userId, email }: Creator) {
  return { $or: [{ createdById: userId }, { createdById: { $exists: false }, createdBy: email }] };
}
