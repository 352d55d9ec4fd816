import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { createServer } from '#src/server/server.js';
import { serverDeps } from '#test/builders/server-deps.js';

interface Description {
  openapi: string;
  paths: Record<string, Record<string, { responses: object; operationId: string }>>;
}

describe('API route', () => {
  it('rejects query parameters by name if it declares none', async () => {
    const server = await createServer({ host: '127.0.0.1', port: 0 }, serverDeps());
    const { statusCode, payload } = await server.inject('/api/v2/me/?colour=red');
    expect(statusCode).to.equal(400);
    expect(JSON.parse(payload)).to.have.nested.property('fields[0].field', 'colour');
  });
});

describe('OpenAPI document', () => {
  const described = async (): Promise<Description> => {
    const server = await createServer({ host: '127.0.0.1', port: 0 }, serverDeps());
    const { payload } = await server.inject('/api/v2/openapi.json');
    return JSON.parse(payload) as Description;
  };

  it('is valid OpenAPI 3.1', async () => {
    const api = await described();
    expect(api.openapi).to.equal('3.1.0');
    const { valid, errors } = await new Validator().validate({ ...api });
    expect(valid, JSON.stringify(errors)).to.equal(true);
  });

  it('contains every route of the API, each with a unique operation ID', async () => {
    const server = await createServer({ host: '127.0.0.1', port: 0 }, serverDeps());
    const { paths } = await described();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map(({ operationId }) => operationId))).to.have.property('size', operations.length);
    const routes = server
      .table()
      .filter(({ path }) => path.startsWith('/api/v2/') && !/(openapi\.json|docs)$/.test(path));
    expect(operations).to.have.length(routes.length);
  });

  it('is also shown as a page', async () => {
    const server = await createServer({ host: '127.0.0.1', port: 0 }, serverDeps());
    const { statusCode, payload } = await server.inject('/api/v2/docs/');
    expect(statusCode).to.equal(200);
    expect(payload).to.include('Retrieve the caller').and.to.include('openapi.json');
  });
});
