import { NotFoundError } from '../../../../domain/errors.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import type { ShownWebhookToken } from '../../../../services/tokens/webhook-tokens.js';
import type { RouteDeps } from '../../../context.js';

export interface TokenParams {
  Params: { projectId: string; number: string };
}

/** E-mails of a project's owners: whom to ask for more rights. */
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
  if (!found) throw new NotFoundError(NOTHING_HERE);
  return found;
}
