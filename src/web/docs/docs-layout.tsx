import type { ComponentChildren } from 'preact';
import { Layout } from '#src/web/layout/layout.js';
import type { PageContext } from '#src/web/layout/page-context.js';
import type { DocChapter } from './library.js';
import { SearchForm } from './search-form.js';

interface DocsLayoutProps {
  title: string;
  chapters: readonly DocChapter[];
  /** Slug of the page that is shown. */
  current?: string;
  query?: string;
  page?: PageContext | undefined;
  children: ComponentChildren;
}

/** A page of the documentation beside the list of all pages. */
export function DocsLayout({ title, chapters, current, query, page, children }: DocsLayoutProps) {
  return (
    <Layout title={`${title} · Documentation`} page={page} assets={['docs.css']}>
      <div class="docs">
        <div class="docs-search">
          <SearchForm query={query} />
          <a class="docs-to-pages" href="#pages">
            All pages
          </a>
        </div>
        <Pages chapters={chapters} current={current} />
        <article class="doc">{children}</article>
      </div>
    </Layout>
  );
}

function Pages({ chapters, current }: Pick<DocsLayoutProps, 'chapters'> & { current: string | undefined }) {
  return (
    <nav class="docs-pages" id="pages" aria-label="Documentation">
      <p>
        <a href="/docs" aria-current={current === '' ? 'page' : undefined}>
          Overview
        </a>
      </p>
      {chapters.map((chapter) => (
        <section key={chapter.title}>
          <p class="docs-chapter">{chapter.title}</p>
          <ul>
            {chapter.pages.map(({ slug, title }) => (
              <li key={slug}>
                <a href={`/docs/${slug}`} aria-current={slug === current ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
