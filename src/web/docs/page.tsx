import type { PageContext } from '#src/web/layout/page-context.js';
import { DocsLayout } from './docs-layout.js';
import type { DocChapter, DocPage } from './library.js';

interface DocPageProps {
  doc: DocPage;
  chapters: readonly DocChapter[];
  page?: PageContext | undefined;
}

/** GET /docs/{page}: a page of the documentation. */
export function DocView({ doc, chapters, page }: DocPageProps) {
  const headings = doc.sections.filter(({ level }) => level === 2);
  return (
    <DocsLayout title={doc.title} chapters={chapters} current={doc.slug} page={page}>
      <h1>{doc.title}</h1>
      {headings.length > 2 && doc.slug !== '' ? (
        <nav class="docs-sections" aria-label="On this page">
          <ul class="section-links">
            {headings.map(({ anchor, heading }) => (
              <li key={anchor}>
                <a href={`#${anchor}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      {/* Of our own files; the renderer shows HTML in them as text. */}
      <div dangerouslySetInnerHTML={{ __html: doc.html }} />
    </DocsLayout>
  );
}
