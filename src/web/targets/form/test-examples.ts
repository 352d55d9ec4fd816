import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { RunnerKind } from '#src/domain/targets/runner-types.js';

/** What stands in the fields of a new test, to be changed: it passes as it is. @param publicUrl what it looks at: this server */
export function exampleOf(runner: RunnerKind, publicUrl: string): Partial<TestDefinition> {
  if (runner === 'command') return {};
  if (runner === 'http')
    return {
      baseUrl: publicUrl,
      requests: [
        {
          name: 'The API describes itself',
          url: '/api/v2/openapi.json',
          expect: {
            status: 200,
            headers: { 'content-type': 'application/json*' },
            json: [{ path: '$.info.title', exists: true }],
            time: { below: '5s' },
          },
        },
      ],
    };
  return {
    baseUrl: publicUrl,
    steps: [
      { goto: '/sign-in' },
      { expect: { role: 'heading', name: 'Sign in to Runhook' } },
      { fill: { label: 'Email', value: 'nobody@shop.example' } },
      { expect: { role: 'button', name: 'Sign in', enabled: true } },
    ],
  };
}
