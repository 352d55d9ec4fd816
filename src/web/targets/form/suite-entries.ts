import type { ItemService } from '#src/services/targets/item-service.js';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { SuiteEntry } from './suite-editor.js';

/** The tests of a suite by name, in its order; what is no test of the project goes by its id. */
export async function entriesOf(
  tests: Pick<ItemService<TestDefinition>, 'named'>,
  projectId: string,
  ids: readonly string[],
): Promise<SuiteEntry[]> {
  const names = await tests.named(projectId, ids);
  return ids.map((id) => ({ id, name: names.get(id) ?? id }));
}
