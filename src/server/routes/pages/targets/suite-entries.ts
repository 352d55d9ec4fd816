import type { TargetService } from '../../../../services/definitions/targets.js';
import type { SuiteEntry } from '../../../../web/pages/targets/suite-editor.js';

/** The tests of a suite by name, in its order; what is no test of the project goes by its id. */
export async function entriesOf(
  tests: Pick<TargetService, 'named'>,
  projectId: string,
  ids: readonly string[],
): Promise<SuiteEntry[]> {
  const names = await tests.named(projectId, ids);
  return ids.map((id) => ({ id, name: names.get(id) ?? id }));
}
