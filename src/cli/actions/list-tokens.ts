import { ApiError } from '#src/cli/api/http-errors.js';
import { allItems } from '#src/cli/api/pages.js';
import type { ApiTokenView, WebhookTokenView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import type { Cli } from '#src/cli/cli.js';
import { findProject } from '#src/cli/find/find-project.js';
import { withApiTokens, tokenType, type ApiTokenType } from '#src/cli/find/find-token.js';
import { formatMoment, table } from '#src/cli/text.js';

interface Row {
  type: string;
  /** The argument of `token revoke`. */
  id: string;
  name: string;
  scopes: string[];
  state: 'live' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

/** `runhook token list`: those of the project, or of one type. */
export const listTokens: Action<{ type?: string }> = async (cli, { type }) => {
  const rows = type ? await rowsOf(cli, tokenType(type)) : await rowsOfProject(cli);
  if (cli.output.asJson) return cli.output.json(rows);
  const cells = rows.map((row) => [
    row.type,
    row.id,
    row.state,
    formatMoment(row.createdAt),
    formatMoment(row.expiresAt) || 'never',
    formatMoment(row.lastUsedAt) || 'never',
    [row.name, row.scopes.join(' ')].filter(Boolean).join(': '),
  ]);
  cli.output.write(table(['TYPE', 'WHICH', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'FOR'], cells));
};

async function rowsOfProject(cli: Cli): Promise<Row[]> {
  const rows: Row[] = [];
  for (const type of ['webhook', 'project'] as const)
    try {
      rows.push(...(await rowsOf(cli, type)));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error;
      cli.output.note(`Cannot list ${type} tokens: ${error.message}`);
    }
  return rows;
}

async function rowsOf(cli: Cli, type: ApiTokenType | 'webhook'): Promise<Row[]> {
  if (type === 'webhook') {
    const path = `/projects/${(await findProject(cli)).id}/webhook-tokens/`;
    const tokens = await allItems<WebhookTokenView>(cli.http(), { path });
    return tokens.map((token) => rowOf(type, String(token.number), '', [], token));
  }
  return withApiTokens(cli, type, async (http, path) => {
    const tokens = await allItems<ApiTokenView>(http, { path });
    return tokens.map((token) => rowOf(type, token.id, token.name, token.scopes, token));
  });
}

/** Copies single fields: the response may contain the token itself. */
function rowOf(type: string, id: string, name: string, scopes: string[], token: WebhookTokenView | ApiTokenView): Row {
  const { createdAt, expiresAt, lastUsedAt } = token;
  const isRevoked = 'revokedAt' in token && token.revokedAt !== null;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const state = isRevoked ? 'revoked' : isExpired ? 'expired' : 'live';
  return { type, id, name, scopes, state, createdAt, expiresAt, lastUsedAt };
}
