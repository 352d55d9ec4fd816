import type { TestDefinition } from '../../../domain/definitions.js';
import { TestDefinitionFacts } from '../../components/definition/test-definition.js';
import { TargetPage, type TargetPageProps } from './target-page.js';

/** GET /tests/{id} */
export function TestPage({ definition, ...props }: TargetPageProps & { definition: TestDefinition }) {
  return (
    <TargetPage {...props} kind="test">
      <h2>What it does</h2>
      <TestDefinitionFacts definition={definition} />
    </TargetPage>
  );
}
