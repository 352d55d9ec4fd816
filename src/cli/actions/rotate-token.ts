import { randomUUID } from 'node:crypto';
import type { WebhookTokenView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { withAdminScope } from '#src/cli/find/find-token.js';
import { findProject } from '#src/cli/find/find-project.js';
import { durationMs } from '#src/domain/project-file/duration.js';

const HOUR_MS = 3_600_000;
const MAX_HOURS = 720;

/** `runhook token rotate`: a new webhook token. */
export const rotateToken: Action<{ keepOld: string }> = async (cli, { keepOld }) => {
  const keepOldForHours = (durationMs(keepOld) ?? NaN) / HOUR_MS;
  if (!(keepOldForHours >= 0 && keepOldForHours <= MAX_HOURS))
    throw new UsageError(`--keep-old must be a duration from 0h to ${MAX_HOURS}h, not "${keepOld}"`);
  const project = await findProject(cli);
  const created = await withAdminScope(cli).json<WebhookTokenView>({
    method: 'POST',
    path: `/projects/${project.id}/webhook-tokens/rotate/`,
    json: { keepOldForHours },
    headers: { 'idempotency-key': randomUUID() },
    repeatable: true,
  });
  if (cli.output.asJson) return cli.output.json(created);
  cli.output.note(
    `Webhook token ${created.number} of "${project.name}" created. Previous tokens remain valid for ${keepOld}.`,
  );
  if (created.testUrl) cli.output.print(created.testUrl);
  if (created.suiteUrl) cli.output.print(created.suiteUrl);
};
