import { expect } from 'chai';
import { newTest } from '#src/domain/targets/definition-schemas.js';
import type { HttpTest } from '#src/domain/targets/definitions.js';
import { parseProjectFile, withIds } from '#src/domain/project-file/project-file.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import { VALIDATION } from '#src/domain/project-file/schema.js';
import { projectFileTextOf } from '#src/domain/project-file/text.js';
import type { Test } from '#src/domain/records.js';
import { PROJECT_ID } from '#test/builders/project-file.js';

const FILE = `
project: Shop
tests:
  - name: Orders
    runner: http
    baseUrl: "{{BASE_URL}}"
    headers: { Accept: application/json }
    cookies: none
    insecure: true
    requests:
      - name: Create
        method: post
        url: /orders/{{ID}}
        query: { page: 1, tag: [a, 1.10] }
        headers: { X-Version: 1.10 }
        json: { quantity: 2, price: 12.50, open: true, note: null, sku: "007", list: [1, "1", ~, { deep: 1e3 }] }
        auth: { basic: { username: 7, password: "{{PASSWORD}}" } }
        redirects: 3
        timeout: 5s
        expect:
          status: [200, 2xx]
          headers: { content-type: application/json*, x-count: { matches: "^\\\\d+$" }, x-none: { exists: false } }
          json:
            - { path: $.total, equals: 25 }
            - { path: $.total, lessThan: 30, greaterThan: "{{not a number}}" }
            - { path: "$.items[*].sku", contains: "007", count: 1 }
          schema: { type: object, properties: { total: { type: number, minimum: 1 } }, additionalProperties: true }
          text: { contains: 25 }
          time: { below: 500ms }
        capture: { ORDER: { json: $.id, secret: true }, CODE: { status: true } }
        retry: { times: 5, every: 200ms }
      - url: https://shop.example/x
        redirects: manual
        form: { a: 1 }
`.replace('greaterThan: "{{not a number}}"', 'greaterThan: 1.5');

const read = (text: string) =>
  withIds(parseProjectFile(text, { folder: '/srv', fileName: 'shop.yaml' }), PROJECT_ID, 'shop.yaml');
const requestOf = (yaml: string) =>
  read(`project: P\ntests:\n  - { name: T, runner: http, requests: [${yaml}] }`).tests[0]!.definition as HttpTest;
const problemsOf = (yaml: string): string[] => {
  try {
    requestOf(yaml);
  } catch (error) {
    if (error instanceof ProjectFileError) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
};

describe('HTTP test', () => {
  const { id: projectId, tests } = read(FILE);
  const definition = tests[0]!.definition as HttpTest;

  it('keeps types in JSON of a project file, and reads text elsewhere', () => {
    const [create, other] = definition.requests;
    expect(definition).to.include({ baseUrl: '{{BASE_URL}}', cookies: 'none', insecure: true });
    expect(create).to.deep.equal({
      name: 'Create',
      method: 'POST',
      url: '/orders/{{ID}}',
      query: { page: '1', tag: ['a', '1.10'] },
      headers: { 'X-Version': '1.10' },
      json: { quantity: 2, price: 12.5, open: true, note: null, sku: '007', list: [1, '1', null, { deep: 1000 }] },
      auth: { basic: { username: '7', password: '{{PASSWORD}}' } },
      redirects: 3,
      timeout: '5s',
      expect: {
        status: [200, '2xx'],
        headers: { 'content-type': 'application/json*', 'x-count': { matches: '^\\d+$' }, 'x-none': { exists: false } },
        json: [
          { path: '$.total', equals: 25 },
          { path: '$.total', lessThan: 30, greaterThan: 1.5 },
          { path: '$.items[*].sku', contains: '007', count: 1 },
        ],
        schema: { type: 'object', properties: { total: { type: 'number', minimum: 1 } }, additionalProperties: true },
        text: { contains: '25' },
        time: { below: '500ms' },
      },
      capture: { ORDER: { json: '$.id', secret: true }, CODE: { status: true } },
      retry: { times: 5, every: '200ms' },
    });
    expect(other).to.deep.equal({ url: 'https://shop.example/x', redirects: 'manual', form: { a: '1' } });
  });

  it('requires a delay between retries', () => {
    const every = (pause: string) => problemsOf(`{ url: http://a, retry: { times: 2, every: ${pause} } }`).join();
    expect(every('100ms')).to.equal('');
    for (const pause of ['1ms', '99ms']) expect(every(pause)).to.include('must not be shorter than 100ms');
    expect(every('soon')).to.include('must be a duration');
  });

  it('is unchanged by an export and import, including strings that look like numbers', () => {
    const odd = [
      '1.10',
      '007',
      'true',
      'null',
      '~',
      '1e3',
      '0x1F',
      '.inf',
      '',
      ' a',
      'a: b',
      '{{X}}',
      '2026-01-01',
      'no',
    ];
    const requests = [
      ...definition.requests,
      {
        url: '/odd',
        json: {
          odd,
          numbers: [1, -0.5, 1e21, 0],
          flags: [true, false, null],
          ...Object.fromEntries(odd.map((text) => [text, text])),
        },
      },
      {
        url: '/odd',
        json: '5',
        expect: {
          json: [
            { path: '$', equals: 'true' },
            { path: '$', equals: 5 },
            { path: '$', equals: null },
          ],
        },
      },
      { url: '/odd', body: '5', headers: { 'x-a': '1.10' }, expect: { schema: { const: '5', enum: [5, '5', 1.0] } } },
    ];
    const test: Test = {
      _id: tests[0]!.id,
      projectId,
      name: 'Orders',
      definition: { ...definition, requests },
      revision: 1,
      modifiedAt: new Date(),
    };
    const written = projectFileTextOf({ _id: PROJECT_ID, name: 'Shop' }, [test], [], []);
    expect(read(written).tests[0]!.definition).to.deep.equal(test.definition);
  });

  it('is the same through the API', () => {
    const { error, value } = newTest.validate({ name: 'Orders', ...definition }, VALIDATION);
    expect(error).to.equal(undefined);
    expect(value).to.deep.equal({ name: 'Orders', ...definition });
  });

  const wrong: [yaml: string, message: RegExp][] = [
    ['{ name: x }', /^tests\[0\]\.requests\[0\]\.url is required and must be an http:\/\//],
    ['{ url: "ftp://a/" }', /requests\[0\]\.url must be an http:/],
    ['{ url: /, method: BREW }', /method must be one of GET, POST/],
    ['{ url: /, colour: red }', /colour is not a field of a request; the fields are name, method/],
    ['{ url: /, body: a, json: 1 }', /must have only one of body, json, form, file/],
    ['{ url: /, json: .nan }', /json must be a JSON value/],
    ['{ url: /, headers: { Content-Length: 5 } }', /headers must not set Content-Length: the worker sets it/],
    ['{ url: /, headers: { "a b": 5 } }', /"?a b"? is not a valid header name/],
    ['{ url: /, headers: { a: "x\\r\\ny: z" } }', /headers\.a must be a string .* one line/],
    ['{ url: /, auth: {} }', /auth must have either basic/],
    ['{ url: /, auth: { bearer: a, basic: { username: a, password: b } } }', /auth must have either basic/],
    ['{ url: /, redirects: 11 }', /redirects must be "follow", "manual" or/],
    ['{ url: /, timeout: 11m }', /timeout must be a duration .* up to 10m/],
    ['{ url: /, retry: { times: 0 } }', /retry\.times must be a whole number from 1 to 1000/],
    ['{ url: /, expect: { status: 700 } }', /expect\.status must be a status such as 200/],
    ['{ url: /, expect: { status: 9xx } }', /expect\.status must be a status such as 200/],
    ['{ url: /, expect: { json: [{ path: "$.a[", equals: 1 }] } }', /json\[0\]\.path must be a JSONPath/],
    ['{ url: /, expect: { json: [{ path: $.a }] } }', /json\[0\] must have at least one of equals/],
    ['{ url: /, expect: { json: [{ path: $.a, type: text }] } }', /type must be one of string, number/],
    ['{ url: /, expect: { json: [{ path: $.a, matches: "(" }] } }', /matches must be a regular expression/],
    [
      '{ url: /, expect: { schema: { type: text } } }',
      /expect\.schema is not a valid JSON Schema: schema\/type must be equal/,
    ],
    ['{ url: /, expect: { schema: 5 } }', /expect\.schema must be a JSON Schema/],
    ['{ url: /, expect: { text: {} } }', /expect\.text must have at least one of/],
    ['{ url: /, capture: { "1A": { status: true } } }', /capture\.1A is not a valid variable name/],
    ['{ url: /, capture: { A: {} } }', /capture\.A must have one of json/],
    ['{ url: /, capture: { A: { json: $, text: a } } }', /capture\.A must have only one of json/],
    ['', /requests must be a list of 1 to 200 requests/],
  ];
  for (const [yaml, message] of wrong)
    it(`reports the problem of ${yaml || 'a test without requests'}`, () => {
      const problems = problemsOf(yaml);
      expect(problems, problems.join('\n')).to.have.length(1);
      expect(problems[0]).to.match(message);
    });

  it('does not check patterns with variables before the run', () => {
    expect(problemsOf('{ url: "/", expect: { json: [{ path: "$[{{N}}]", matches: "^{{A}}(" }] } }')).to.deep.equal([]);
  });

  it('keeps an alias as text in one field and as a number in another, with its lines', () => {
    const file = `
project: P
tests:
  - name: T
    runner: http
    requests:
      - url: /
        form: &both { n: 1.10 }
        headers: &more { n: 2.10 }
      - { url: /, json: *both, headers: *more }
      - { url: /, json: { a: *more, b: *both, c: *both } }
      - { url: /, expect: { schema: { minimum: [1,
          2] } } }
`;
    const noSchema = file.replace('[1,\n          2]', '1');
    const [form, json, nested] = (read(noSchema).tests[0]!.definition as HttpTest).requests;
    expect(form).to.deep.include({ form: { n: '1.10' }, headers: { n: '2.10' } });
    expect(json).to.deep.include({ json: { n: 1.1 }, headers: { n: '2.10' } });
    expect(nested!.json).to.deep.equal({ a: { n: 2.1 }, b: { n: 1.1 }, c: { n: 1.1 } });
    expect(() => read(file)).to.throw(ProjectFileError, /minimum must be number/);
  });
});
