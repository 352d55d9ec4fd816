import { DataTable } from './data-table.js';

interface Content {
  schema?: unknown;
  example?: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: { type?: string | string[]; enum?: unknown[]; default?: unknown };
}

/** One call of the API as OpenAPI describes it. */
export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: unknown[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

interface OperationProps {
  method: string;
  path: string;
  operation: ApiOperation;
}

/** One operation, collapsed at first. */
export function Operation({ method, path, operation }: OperationProps) {
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation;
  return (
    <details class="call" id={operationId}>
      <summary>
        <code>
          <b>{method.toUpperCase()}</b> {path}
        </code>{' '}
        {summary}
      </summary>
      {description ? <p>{description}</p> : null}
      {security?.length === 0 ? <p class="muted">No authentication required.</p> : null}
      {parameters.length > 0 ? <Parameters of={parameters} /> : null}
      {Object.entries(requestBody?.content ?? {}).map(([type, content]) => (
        <Shape key={type} title={`Body (${type})`} content={content} />
      ))}
      {Object.entries(responses)
        .filter(([status]) => status < '300')
        .map(([status, { description: meaning, content }]) => (
          <div key={status}>
            <p>
              <b>{status}</b> {meaning}
            </p>
            {Object.entries(content ?? {}).map(([type, shape]) => (
              <Shape key={type} title={type} content={shape} />
            ))}
          </div>
        ))}
      <p class="muted">
        Errors:{' '}
        {Object.entries(responses)
          .filter(([status]) => status >= '400')
          .map(([status]) => status)
          .join(', ')}
      </p>
    </details>
  );
}

function Parameters({ of }: { of: Parameter[] }) {
  return (
    <DataTable
      items={of}
      columns={[
        { label: 'Parameter', cell: ({ name }) => <code>{name}</code> },
        { label: 'In', cell: ({ in: place, required }) => `${place}${required ? ', required' : ''}` },
        { label: 'Type', cell: ({ schema }) => typeOf(schema) },
        { label: 'What', cell: ({ description }) => description ?? '' },
      ]}
    />
  );
}

function typeOf(schema: Parameter['schema'] = {}): string {
  const type = schema.enum ? schema.enum.join(' | ') : [schema.type ?? 'any'].flat().join(' | ');
  return schema.default === undefined ? type : `${type}, else ${JSON.stringify(schema.default)}`;
}

function Shape({ title, content: { schema, example } }: { title: string; content: Content }) {
  return (
    <details>
      <summary>{title}</summary>
      {example === undefined ? null : (
        <pre>
          <code>{JSON.stringify(example, null, 2)}</code>
        </pre>
      )}
      <pre>
        <code>{JSON.stringify(schema, null, 2)}</code>
      </pre>
    </details>
  );
}
