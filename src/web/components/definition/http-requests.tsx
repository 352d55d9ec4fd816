import type { HttpExpectations, JsonExpectation } from '../../../domain/http-expectations.js';
import type { HttpRequest } from '../../../domain/http-test.js';

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
    ...(schema ? ['JSON as its schema says'] : []),
    ...(schemaFile === undefined ? [] : [`JSON as the schema in ${schemaFile} says`]),
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
  count: 'has so many:',
  lessThan: 'is less than',
  greaterThan: 'is greater than',
};

function textWords(holds: Omit<JsonExpectation, 'path'>): string {
  return Object.entries(holds)
    .map(([verb, value]) => {
      if (verb === 'exists') return value === true ? 'is there' : 'is not there';
      return `${VERBS[verb as keyof typeof VERBS]} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    })
    .join(' and ');
}
