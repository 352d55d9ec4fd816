import { allItems } from '../api/pages.js';
import type { TargetKind, TargetView } from '../api/shapes.js';
import type { Action } from '../commands/define.js';
import { findProject } from '../find/project.js';
import { count, formatMoment, table } from '../text.js';

/** `runhook test list`, `runhook suite list`. */
export function listTargets(kind: TargetKind): Action<{ search?: string; archived?: boolean }> {
  return async (cli, { search, archived }) => {
    const project = await findProject(cli);
    const targets = await allItems<TargetView>(cli.http(), {
      path: `/projects/${project.id}/${kind}s/`,
      query: { search, archived },
    });
    if (cli.voice.asJson) return cli.voice.json(targets);
    const rows = targets.map((target) => [target.name, target.id, formatMoment(target.modified), detail(target)]);
    if (rows.length === 0) return cli.voice.note(`The project "${project.name}" has no such ${kind}s.`);
    cli.voice.write(table(['NAME', 'ID', 'MODIFIED', kind === 'test' ? 'POOL' : 'TESTS'], rows));
  };
}

function detail({ pool, tests }: TargetView): string {
  return tests ? count(tests.length, 'test') : (pool ?? '');
}
