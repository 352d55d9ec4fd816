import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { allItems } from '#src/cli/api/pages.js';
import type { TargetView } from '#src/cli/api/responses.js';
import type { Action } from '#src/cli/commands/define.js';
import { findProject } from '#src/cli/find/find-project.js';
import { count, formatMoment, table } from '#src/cli/text.js';

/** `runhook test list`, `runhook suite list`. */
export function listTargets(kind: TargetKind): Action<{ search?: string; archived?: boolean }> {
  return async (cli, { search, archived }) => {
    const project = await findProject(cli);
    const targets = await allItems<TargetView>(cli.http(), {
      path: `/projects/${project.id}/${kind}s/`,
      query: { search, archived },
    });
    if (cli.output.asJson) return cli.output.json(targets);
    const rows = targets.map((target) => [target.name, target.id, formatMoment(target.modified), detail(target)]);
    if (rows.length === 0) return cli.output.note(`No ${kind}s found in the project "${project.name}".`);
    cli.output.write(table(['NAME', 'ID', 'MODIFIED', kind === 'test' ? 'POOL' : 'TESTS'], rows));
  };
}

function detail(target: TargetView): string {
  return 'tests' in target ? count(target.tests.length, 'test') : target.pool;
}
