import { randomUUID } from 'node:crypto';
import { ApiError } from '#src/cli/api/http-errors.js';
import type { Http, HttpRequest } from '#src/cli/api/http.js';
import { inSession } from '#src/cli/api/session.js';
import { allItems } from '#src/cli/api/pages.js';
import type { ApiTokenView, NewApiTokenView } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { CliError, UsageError } from '#src/cli/cli-error.js';
import { EXIT } from '#src/cli/exit-codes.js';
import { oneLine } from '#src/cli/text.js';
import { findProject } from './find-project.js';

export const TOKEN_TYPES = ['webhook', 'project', 'personal'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];
export type ApiTokenType = Exclude<TokenType, 'webhook'>;

/** @throws UsageError */
export function tokenType(text: string): TokenType {
  const type = TOKEN_TYPES.find((one) => one === text);
  if (!type) throw new UsageError(`--type must be one of ${TOKEN_TYPES.join(', ')}, not "${text}"`);
  return type;
}

/** Manages the API tokens of a project or person. Personal tokens require a session. */
export async function withApiTokens<T>(
  cli: Cli,
  type: ApiTokenType,
  use: (http: Http, path: string) => Promise<T>,
): Promise<T> {
  if (type === 'personal') return inSession(cli, {}, (http) => use(http, '/me/tokens/'));
  return use(withAdminScope(cli), `/projects/${(await findProject(cli)).id}/tokens/`);
}

/**
 * A client for requests that require the scope `admin`. If the token lacks it, it asks for email and password and sends
 * the request in a session.
 * @param what operation requires it, as the subject of a sentence
 */
export function withAdminScope(cli: Cli, what = 'Managing tokens'): Http {
  const http = cli.http();
  async function withSessionIfRequired<T>(call: (http: Http) => Promise<T>): Promise<T> {
    try {
      return await call(http);
    } catch (error) {
      if (!(error instanceof ApiError) || error.body.code !== 'scope_missing') throw error;
      if (!cli.io.stdin.isTTY)
        throw new CliError(
          `${error.message}\nIn a script, set RUNHOOK_API_TOKEN to a personal API token with the scope admin: runhook token create <name> --type personal --scope admin --expires 30d`,
          EXIT.usage,
        );
      cli.output.note(`${what} requires you to sign in.`);
      return inSession(cli, {}, call);
    }
  }
  return {
    ...http,
    send: (request) => withSessionIfRequired((one) => one.send(request)),
    json: <T>(request: HttpRequest) => withSessionIfRequired((one) => one.json<T>(request)),
  };
}

/**
 * Creates an API token.
 * @returns the record and the token itself
 * @throws CliError when it was created but the response was lost
 */
export async function createApiToken(
  http: Http,
  path: string,
  json: { name: string; scopes: string[]; expiresAt?: string },
): Promise<NewApiTokenView & { token: string }> {
  const created = await http.json<NewApiTokenView>({
    method: 'POST',
    path,
    json,
    headers: { 'idempotency-key': randomUUID() },
    repeatable: true,
  });
  if (created.token) return { ...created, token: created.token };
  throw new CliError(
    `The token "${oneLine(created.name)}" (${created.id}) was created, but the response that contained it was lost. Revoke it and create another.`,
    EXIT.error,
  );
}

/** Finds a live API token by ID or name. @throws UsageError when there is none, or several have the name */
export async function findApiToken(http: Http, path: string, nameOrId: string): Promise<ApiTokenView> {
  const live = await allItems<ApiTokenView>(http, { path });
  const found = live.filter(({ id, name }) => id === nameOrId.toLowerCase() || name === nameOrId);
  if (found.length > 1)
    throw new UsageError(
      `Several tokens are named "${oneLine(nameOrId)}". Use the ID, shown by \`runhook token list\`.`,
    );
  if (!found[0])
    throw new UsageError(`No token "${oneLine(nameOrId)}" found. List tokens with \`runhook token list\`.`);
  return found[0];
}
