import { confirm } from '#src/cli/ask.js';
import type { Action } from '#src/cli/commands/define.js';
import { CliError } from '#src/cli/cli-error.js';
import type { Cli } from '#src/cli/cli.js';
import { EXIT } from '#src/cli/exit-codes.js';
import { findProject } from '#src/cli/find/find-project.js';
import { withApiTokens, findApiToken, withAdminScope, tokenType } from '#src/cli/find/find-token.js';
import { parseCount } from '#src/cli/option-values.js';

interface RevokeOptions {
  type: string;
  yes?: boolean;
}

const MAX_NUMBER = 1_000_000;

/** `runhook token revoke`. */
export const revokeToken: Action<RevokeOptions, [string]> = async (cli, options, which) => {
  const type = tokenType(options.type);
  if (type === 'webhook') return revokeWebhookToken(cli, parseCount(which, 'The token number', MAX_NUMBER), options);
  await withApiTokens(cli, type, async (http, path) => {
    const token = await findApiToken(http, path, which);
    await confirmFirst(cli, `Revoke the API token "${token.name}"?`, options);
    // Revoking is idempotent.
    await http.send({ method: 'DELETE', path: `${path}${token.id}/`, repeatable: true });
    reportRevoked(cli, { type, id: token.id });
  });
};

async function revokeWebhookToken(cli: Cli, number: number, options: RevokeOptions): Promise<void> {
  const project = await findProject(cli);
  await confirmFirst(
    cli,
    `Revoke webhook token ${number} of "${project.name}"? Its URLs stop working immediately.`,
    options,
  );
  await withAdminScope(cli).send({
    method: 'POST',
    path: `/projects/${project.id}/webhook-tokens/${number}/revoke/`,
    json: {},
    repeatable: true,
  });
  reportRevoked(cli, { type: 'webhook', id: String(number) });
}

/** Asks for confirmation on a terminal only. */
async function confirmFirst({ io }: Cli, question: string, { yes }: RevokeOptions): Promise<void> {
  if (yes || !io.stdin.isTTY || (await confirm(io, question))) return;
  throw new CliError('Canceled: the token was not revoked.', EXIT.usage);
}

function reportRevoked({ output }: Cli, { type, id }: { type: string; id: string }): void {
  if (output.asJson) output.json({ type, id, revoked: true });
  else output.note('Token revoked.');
}
