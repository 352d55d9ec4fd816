import { randomUUID } from 'node:crypto';
import { ApiError } from '../api/http-errors.js';
import type { Http, HttpRequest } from '../api/http.js';
import { inSession } from '../api/session.js';
import { allItems } from '../api/pages.js';
import type { ApiTokenView } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { CliError, UsageError } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';
import { oneLine } from '../text.js';
import { findProject } from './project.js';

export const TOKEN_TYPES = ['webhook', 'project', 'personal'] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];
export type ApiTokenType = Exclude<TokenType, 'webhook'>;

/** @throws UsageError */
export function tokenType(text: string): TokenType {
  const type = TOKEN_TYPES.find((one) => one === text);
  if (!type) throw new UsageError(`--type is one of ${TOKEN_TYPES.join(', ')}, not "${text}"`);
  return type;
}

/** API tokens of a project or of a person, where they are kept. A token cannot make or list a person's: he signs in. */
export async function atApiTokens<T>(
  cli: Cli,
  type: ApiTokenType,
  use: (http: Http, path: string) => Promise<T>,
): Promise<T> {
  if (type === 'personal') return inSession(cli, {}, (http) => use(http, '/me/tokens/'));
  return use(managing(cli), `/projects/${(await findProject(cli)).id}/tokens/`);
}

/**
 * The API for a command that manages tokens, which needs the scope `admin`. Where the token lacks it, a person is asked for
 * e-mail and password, and the call is made in a session.
 */
export function managing(cli: Cli): Http {
  const http = cli.http();
  async function signedInIfNeeded<T>(call: (http: Http) => Promise<T>): Promise<T> {
    try {
      return await call(http);
    } catch (error) {
      if (!(error instanceof ApiError) || error.body.code !== 'scope_missing') throw error;
      if (!cli.io.stdin.isTTY)
        throw new CliError(
          `${error.message}\nIn a script, set RUNHOOK_API_TOKEN to a personal token with the scope admin: runhook token create <name> --type personal --scope admin --expires 30d`,
          EXIT.usage,
        );
      cli.voice.note('Managing tokens needs a sign-in.');
      return inSession(cli, {}, call);
    }
  }
  return {
    ...http,
    send: (request) => signedInIfNeeded((one) => one.send(request)),
    json: <T>(request: HttpRequest) => signedInIfNeeded((one) => one.json<T>(request)),
  };
}

/**
 * Makes an API token.
 * @returns it with the token itself, which is shown this once
 * @throws CliError when it was made and the answer that held it was lost
 */
export async function makeApiToken(
  http: Http,
  path: string,
  json: { name: string; scopes: string[]; expiresAt?: string },
): Promise<ApiTokenView & { token: string }> {
  const made = await http.json<ApiTokenView>({
    method: 'POST',
    path,
    json,
    headers: { 'idempotency-key': randomUUID() },
    repeatable: true,
  });
  if (made.token) return { ...made, token: made.token };
  throw new CliError(
    `The token "${oneLine(made.name)}" (${made.id}) was made, and the answer with it was lost. Revoke it and make another.`,
    EXIT.error,
  );
}

/** A live API token by its id or name. @throws UsageError when there is none, or more than one of this name */
export async function findApiToken(http: Http, path: string, wanted: string): Promise<ApiTokenView> {
  const live = (await allItems<ApiTokenView>(http, { path })).filter(({ revokedAt }) => !revokedAt);
  const found = live.filter(({ id, name }) => id === wanted.toLowerCase() || name === wanted);
  if (found.length > 1)
    throw new UsageError(`Several tokens are called "${oneLine(wanted)}". Give the id: runhook token list`);
  if (!found[0]) throw new UsageError(`There is no token "${oneLine(wanted)}". See: runhook token list`);
  return found[0];
}
