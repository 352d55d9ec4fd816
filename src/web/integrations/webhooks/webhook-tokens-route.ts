import { NotFoundError } from '#src/domain/errors.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { ShownWebhookToken } from '#src/services/tokens/webhook-token-services.js';
import type { RouteDeps } from '#src/server/route-deps.js';

export interface TokenParams {
  Params: { projectId: string; number: string };
}

/** Emails of a project's owners, who can grant more rights. */
export async function ownersOf({ people }: Pick<RouteDeps, 'people'>, projectId: string): Promise<string[]> {
  const members = await people.members.of(projectId);
  return members.filter(({ role, disabled }) => role === 'owner' && !disabled).map(({ email }) => email);
}

export function webhooksPath(projectId: string): string {
  return `/projects/${projectId}/integrations/webhooks`;
}

/** The token that an address names. @throws NotFoundError */
export function tokenOf(tokens: readonly ShownWebhookToken[], number: string): ShownWebhookToken {
  const found = tokens.find((one) => String(one.number) === number);
  if (!found) throw new NotFoundError(RESOURCE_NOT_FOUND);
  return found;
}
