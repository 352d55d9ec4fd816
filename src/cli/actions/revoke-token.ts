import { confirm } from '../ask.js';
import type { Action } from '../commands/define.js';
import { CliError } from '../cli-error.js';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { findProject } from '../find/project.js';
import { atApiTokens, findApiToken, managing, tokenType } from '../find/token.js';
import { parseCount } from '../option-values.js';

interface RevokeOptions {
  type: string;
  yes?: boolean;
}

const LARGEST_NUMBER = 1_000_000;

/** `runhook token revoke`. */
export const revokeToken: Action<RevokeOptions, [string]> = async (cli, options, which) => {
  const type = tokenType(options.type);
  if (type === 'webhook') return revokeWebhookToken(cli, parseCount(which, 'The number', LARGEST_NUMBER), options);
  await atApiTokens(cli, type, async (http, path) => {
    const token = await findApiToken(http, path, which);
    await askFirst(cli, `Revoke the API token "${token.name}"?`, options);
    // Gone already is as good.
    await http.send({ method: 'DELETE', path: `${path}${token.id}/`, repeatable: true });
    told(cli, { type, id: token.id });
  });
};

async function revokeWebhookToken(cli: Cli, number: number, options: RevokeOptions): Promise<void> {
  const project = await findProject(cli);
  await askFirst(cli, `Revoke webhook token ${number} of "${project.name}"? Its URLs are refused at once.`, options);
  await managing(cli).send({
    method: 'POST',
    path: `/projects/${project.id}/webhook-tokens/${number}/revoke/`,
    json: {},
    repeatable: true,
  });
  told(cli, { type: 'webhook', id: String(number) });
}

/** A script that revokes means it; a person may have mistyped. */
async function askFirst({ io }: Cli, question: string, { yes }: RevokeOptions): Promise<void> {
  if (yes || !io.stdin.isTTY || (await confirm(io, question))) return;
  throw new CliError('Nothing was revoked.', EXIT.usage);
}

function told({ voice }: Cli, { type, id }: { type: string; id: string }): void {
  if (voice.asJson) voice.json({ type, id, revoked: true });
  else voice.note('It is revoked.');
}
