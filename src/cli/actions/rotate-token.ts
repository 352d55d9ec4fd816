import { randomUUID } from 'node:crypto';
import type { WebhookTokenView } from '#src/cli/api/answers.js';
import type { Action } from '#src/cli/commands/define.js';
import { UsageError } from '#src/cli/cli-error.js';
import { managing } from '#src/cli/find/find-token.js';
import { findProject } from '#src/cli/find/find-project.js';
import { durationMs } from '#src/domain/project-file/duration.js';

const HOUR_MS = 3_600_000;
const MOST_HOURS = 720;

/** `runhook token rotate`: a new webhook token. */
export const rotateToken: Action<{ keepOld: string }> = async (cli, { keepOld }) => {
  const keepOldForHours = (durationMs(keepOld) ?? NaN) / HOUR_MS;
  if (!(keepOldForHours >= 0 && keepOldForHours <= MOST_HOURS))
    throw new UsageError(`--keep-old must be a duration from 0h to ${MOST_HOURS}h, not "${keepOld}"`);
  const project = await findProject(cli);
  const made = await managing(cli).json<WebhookTokenView>({
    method: 'POST',
    path: `/projects/${project.id}/webhook-tokens/rotate/`,
    json: { keepOldForHours },
    headers: { 'idempotency-key': randomUUID() },
    repeatable: true,
  });
  if (cli.voice.asJson) return cli.voice.json(made);
  cli.voice.note(
    `Webhook token ${made.number} of "${project.name}" created. Previous tokens remain valid for ${keepOld}.`,
  );
  if (made.testUrl) cli.voice.print(made.testUrl);
  if (made.suiteUrl) cli.voice.print(made.suiteUrl);
};
