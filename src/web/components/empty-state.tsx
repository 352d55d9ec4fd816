import type { ComponentChildren } from 'preact';
import type { DocTopic } from '#src/web/texts/doc-links.js';
import { DocsLink } from './docs-link.js';

interface EmptyProps {
  title: string;
  /** What the documentation says about it. */
  help?: DocTopic;
  children?: ComponentChildren;
}

/** In place of a list that has nothing yet: says what would stand there and how to get it there. */
export function Empty({ title, help, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {help ? (
        <p>
          <DocsLink to={help} />
        </p>
      ) : null}
    </div>
  );
}
