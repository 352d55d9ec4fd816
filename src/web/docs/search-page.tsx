import type { PageContext } from '#src/web/layout/page-context.js';
import { DocsLayout } from './docs-layout.js';
import type { DocChapter } from './library.js';
import type { DocHit } from './search.js';

interface DocSearchProps {
  query: string;
  hits: readonly DocHit[];
  chapters: readonly DocChapter[];
  page?: PageContext | undefined;
}

/** GET /docs/search: sections of the documentation that contain the words. */
export function DocSearchView({ query, hits, chapters, page }: DocSearchProps) {
  return (
    <DocsLayout title="Search" chapters={chapters} query={query} page={page}>
      <h1>{query ? `Search: ${query}` : 'Search'}</h1>
      {query && hits.length === 0 ? (
        <p>
          No section contains {query.includes(' ') ? 'all these words' : 'this word'}. Try fewer or other words, or go
          to the <a href="/docs">overview</a>.
        </p>
      ) : null}
      <ul class="docs-hits">
        {hits.map((hit) => (
          <li key={`${hit.slug}#${hit.anchor}`}>
            <a href={`/docs/${hit.slug}${hit.anchor ? `#${hit.anchor}` : ''}`}>
              {hit.heading === hit.page ? hit.page : `${hit.page}: ${hit.heading}`}
            </a>
            <p>{hit.excerpt.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}</p>
          </li>
        ))}
      </ul>
    </DocsLayout>
  );
}
