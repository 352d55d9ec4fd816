import { ApiError } from '#src/cli/api/http-errors.js';
import type { Http } from '#src/cli/api/http.js';
import type { ProjectView } from '#src/cli/api/responses.js';
import { confirm } from '#src/cli/ask.js';
import { CliError } from '#src/cli/cli-error.js';
import type { Action } from '#src/cli/commands/define.js';
import { EXIT } from '#src/cli/exit-codes.js';
import { findProject } from '#src/cli/find/find-project.js';
import { withAdminScope } from '#src/cli/find/find-token.js';
import { oneLine } from '#src/cli/text.js';

interface LeaveOptions {
  keepTokens?: boolean;
  yes?: boolean;
}

/** `runhook project leave`: asks only at a terminal. */
export const leaveProject: Action<LeaveOptions> = async (cli, { keepTokens = false, yes }) => {
  const project = await findProject(cli);
  const name = oneLine(project.name);
  const question = `Leave the project "${name}"? You lose access immediately.`;
  if (!yes && cli.io.stdin.isTTY && !(await confirm(cli.io, question)))
    throw new CliError('Canceled: you are still a member.', EXIT.usage);
  const left = await leave(withAdminScope(cli, 'Leaving a project'), project, !keepTokens);
  if (cli.output.asJson) cli.output.json({ projectId: project.id, left });
  else cli.output.note(left ? `You left the project "${name}".` : `You are not a member of the project "${name}".`);
};

/** @returns whether the caller was a member: an admin sees other projects too, and an earlier try may have succeeded */
async function leave(http: Http, { id }: ProjectView, revokeTokens: boolean): Promise<boolean> {
  const path = `/projects/${id}/members/me/`;
  try {
    await http.send({ method: 'DELETE', path, query: { revokeTokens }, repeatable: true });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
