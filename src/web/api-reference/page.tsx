import { Copy } from '#src/web/components/copy.js';
import { Facts } from '#src/web/components/facts.js';
import { Layout } from '#src/web/layout/layout.js';
import type { PageContext } from '#src/web/layout/page-context.js';
import { Operation, type ApiOperation } from '#src/web/components/api-operation.js';

/** The part of an OpenAPI description that the page shows. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
}

interface Section {
  tag: string;
  operations: { method: string; path: string; operation: ApiOperation }[];
}

/** GET /api/v2/docs: the API for people. */
export function ApiPage({ api, page }: { api: ApiDocument; page?: PageContext }) {
  const base = api.servers[0]?.url ?? '';
  const sections = sectionsOf(api);
  return (
    <Layout title="API" page={page}>
      <h1>API</h1>
      <p>{api.info.description}</p>
      <Facts
        of={[
          ['Base address', <code>{base}</code>],
          ['Version', api.info.version],
          ['For programs', <a href="/api/v2/openapi.json">openapi.json</a>],
          ['Your tokens', <a href="/profile/tokens">create one in your account</a>],
        ]}
      />
      <Copy id="first-call" text={`curl -H "Authorization: Token $RUNHOOK_API_TOKEN" ${base}/me/`} />
      <nav aria-label="Sections">
        <ul class="section-links">
          {sections.map(({ tag }) => (
            <li key={tag}>
              <a href={`#${anchorOf(tag)}`}>{tag}</a>
            </li>
          ))}
        </ul>
      </nav>
      {sections.map(({ tag, operations }) => (
        <section key={tag} aria-labelledby={anchorOf(tag)}>
          <h2 id={anchorOf(tag)}>{tag}</h2>
          {operations.map((one) => (
            <Operation key={one.operation.operationId} {...one} />
          ))}
        </section>
      ))}
    </Layout>
  );
}

function sectionsOf({ paths }: ApiDocument): Section[] {
  const byTag = new Map<string, Section['operations']>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'Other';
      byTag.set(tag, [...(byTag.get(tag) ?? []), { method, path, operation }]);
    }
  return [...byTag].map(([tag, operations]) => ({ tag, operations })).sort((a, b) => a.tag.localeCompare(b.tag));
}

function anchorOf(tag: string): string {
  return tag.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
