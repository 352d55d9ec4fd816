import { SCOPES } from '#src/domain/people/rights.js';
import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { withApiTokens, createApiToken, tokenType } from '#src/cli/find/find-token.js';
import { parseDuration } from '#src/cli/option-values.js';

interface CreateOptions {
  type: string;
  scope?: string[];
  expires?: string;
}

/** `runhook token create`: prints only the token on stdout, for scripts. */
export const createToken: Action<CreateOptions, [string]> = async (cli, options, name) => {
  const type = tokenType(options.type);
  if (type === 'webhook')
    throw new UsageError('A project already has a webhook token. To get a new one, run `runhook token rotate`.');
  const scopes = options.scope ?? ['read', 'run'];
  for (const scope of scopes)
    if (!(SCOPES as readonly string[]).includes(scope))
      throw new UsageError(`Unknown scope "${scope}". Scopes: ${SCOPES.join(', ')}`);
  const ms = options.expires === undefined ? undefined : parseDuration(options.expires, '--expires');
  const expiresAt = ms === undefined ? undefined : new Date(Date.now() + ms).toISOString();
  const created = await withApiTokens(cli, type, (http, path) =>
    createApiToken(http, path, { name, scopes, expiresAt }),
  );
  if (cli.output.asJson) return cli.output.json(created);
  cli.output.note('Save the token now. It is not shown again.');
  cli.output.print(created.token);
};
