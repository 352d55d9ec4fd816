import { ApiError } from '../api/http-errors.js';
import { allItems } from '../api/pages.js';
import type { ApiTokenView, WebhookTokenView } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import type { Cli } from '../cli.js';
import { findProject } from '../find/project.js';
import { atApiTokens, tokenType, type ApiTokenType } from '../find/token.js';
import { formatMoment, table } from '../text.js';

interface Row {
  type: string;
  /** What `token revoke` takes. */
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
  if (cli.voice.asJson) return cli.voice.json(rows);
  const cells = rows.map((row) => [
    row.type,
    row.id,
    row.state,
    formatMoment(row.createdAt),
    formatMoment(row.expiresAt) || 'never',
    formatMoment(row.lastUsedAt) || 'never',
    [row.name, row.scopes.join(' ')].filter(Boolean).join(': '),
  ]);
  cli.voice.write(table(['TYPE', 'WHICH', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'FOR'], cells));
};

async function rowsOfProject(cli: Cli): Promise<Row[]> {
  const rows: Row[] = [];
  for (const type of ['webhook', 'project'] as const)
    try {
      rows.push(...(await rowsOf(cli, type)));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error;
      cli.voice.note(`Tokens of type ${type} are not shown: ${error.message}`);
    }
  return rows;
}

async function rowsOf(cli: Cli, type: ApiTokenType | 'webhook'): Promise<Row[]> {
  if (type === 'webhook') {
    const path = `/projects/${(await findProject(cli)).id}/webhook-tokens/`;
    const tokens = await allItems<WebhookTokenView>(cli.http(), { path });
    return tokens.map((token) => rowOf(type, String(token.number), '', [], token));
  }
  return atApiTokens(cli, type, async (http, path) => {
    const tokens = await allItems<ApiTokenView>(http, { path });
    return tokens.map((token) => rowOf(type, token.id, token.name, token.scopes, token));
  });
}

/** Field by field: the answer may hold the token itself. */
function rowOf(
  type: string,
  id: string,
  name: string,
  scopes: string[],
  { createdAt, expiresAt, lastUsedAt, revokedAt }: Omit<WebhookTokenView, 'number'> | ApiTokenView,
): Row {
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const state = revokedAt ? 'revoked' : isExpired ? 'expired' : 'live';
  return { type, id, name, scopes, state, createdAt, expiresAt, lastUsedAt };
}
