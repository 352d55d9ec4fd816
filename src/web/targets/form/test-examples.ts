import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { RunnerKind } from '#src/domain/targets/runner-types.js';

/** The initial fields of a new test, which passes unchanged. @param publicUrl of this server, which the test requests */
export function exampleOf(runner: RunnerKind, publicUrl: string): Partial<TestDefinition> {
  return EXAMPLES[runner](publicUrl);
}

const EXAMPLES: Record<RunnerKind, (baseUrl: string) => Partial<TestDefinition>> = {
  command: () => ({}),
  http: (baseUrl) => ({
    baseUrl,
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
  }),
  browser: (baseUrl) => ({
    baseUrl,
    steps: [
      { goto: '/sign-in' },
      { expect: { role: 'heading', name: 'Sign in to Runhook' } },
      { fill: { label: 'Email', value: 'nobody@shop.example' } },
      { expect: { role: 'button', name: 'Sign in', enabled: true } },
    ],
  }),
};
