import type { HttpExpectations, JsonExpectation } from '#src/domain/http-test/expectations.js';
import type { HttpRequest } from '#src/domain/http-test/http-test.js';

/** The requests of an HTTP test, numbered, with what is expected of each answer. */
export function HttpRequests({ requests }: { requests: readonly HttpRequest[] }) {
  return (
    <div class="definition-steps">
      <ol>
        {requests.map(({ name, method = 'GET', url, expect = {}, capture = {} }) => (
          <li>
            <code>
              {method} {url}
            </code>
            {name === undefined ? null : ` ${name}`}
            <ul>
              {expectationWords(expect).map((words) => (
                <li>{words}</li>
              ))}
              {Object.keys(capture).length === 0 ? null : <li>remembers {Object.keys(capture).join(', ')}</li>}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What is expected of an answer, a line each. */
function expectationWords({ status, headers = {}, json = [], schema, schemaFile, text, time }: HttpExpectations) {
  return [
    status === undefined ? 'status below 400' : `status ${[status].flat().join(' or ')}`,
    ...Object.entries(headers).map(([name, value]) =>
      typeof value === 'string' ? `header ${name} is ${value}` : `header ${name} ${textWords(value)}`,
    ),
    ...json.map(({ path, ...holds }) => `${path} ${textWords(holds)}`),
    ...(schema ? ['JSON matches the schema'] : []),
    ...(schemaFile === undefined ? [] : [`JSON matches the schema in ${schemaFile}`]),
    ...(text ? [`text ${textWords(text)}`] : []),
    ...(time ? [`within ${time.below}`] : []),
  ];
}

const VERBS: Record<Exclude<keyof JsonExpectation, 'path'>, string> = {
  equals: 'is',
  contains: 'contains',
  matches: 'matches',
  exists: 'exists:',
  type: 'is of the type',
  count: 'has length',
  lessThan: 'is less than',
  greaterThan: 'is greater than',
};

function textWords(holds: Omit<JsonExpectation, 'path'>): string {
  return Object.entries(holds)
    .map(([verb, value]) => {
      if (verb === 'exists') return value === true ? 'exists' : 'does not exist';
      return `${VERBS[verb as keyof typeof VERBS]} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    })
    .join(' and ');
}
