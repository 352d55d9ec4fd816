import type { TestDefinition } from '#src/domain/targets/definitions.js';
import { TestDefinitionFacts } from '#src/web/components/definition/test-definition.js';
import { TargetPage, type TargetPageProps } from './target-page.js';

/** GET /tests/{id} */
export function TestPage({ definition, ...props }: TargetPageProps & { definition: TestDefinition }) {
  return (
    <TargetPage {...props} kind="test">
      <h2>Definition</h2>
      <TestDefinitionFacts definition={definition} />
    </TargetPage>
  );
}
