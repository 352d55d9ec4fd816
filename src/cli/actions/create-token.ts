import { SCOPES } from '../../domain/rights.js';
import type { Action } from '../commands/define.js';
import { UsageError } from '../cli-error.js';
import { atApiTokens, makeApiToken, tokenType } from '../find/token.js';
import { parseDuration } from '../option-values.js';

interface CreateOptions {
  type: string;
  scope?: string[];
  expires?: string;
}

/** `runhook token create`: the token alone on stdout, for scripts. */
export const createToken: Action<CreateOptions, [string]> = async (cli, options, name) => {
  const type = tokenType(options.type);
  if (type === 'webhook')
    throw new UsageError('A project has its webhook token already; for a new one: runhook token rotate');
  const scopes = options.scope ?? ['read', 'run'];
  for (const scope of scopes)
    if (!(SCOPES as readonly string[]).includes(scope))
      throw new UsageError(`There is no scope "${scope}". There are: ${SCOPES.join(', ')}`);
  const ms = options.expires === undefined ? undefined : parseDuration(options.expires, '--expires');
  const expiresAt = ms === undefined ? undefined : new Date(Date.now() + ms).toISOString();
  const made = await atApiTokens(cli, type, (http, path) =>
    makeApiToken(http, path, { name, scopes, ...(expiresAt ? { expiresAt } : {}) }),
  );
  if (cli.voice.asJson) return cli.voice.json(made);
  cli.voice.note('Keep it now: it is not shown again.');
  cli.voice.print(made.token);
};
