import type { ComponentChildren } from 'preact';

/** In place of a list that has nothing yet: says what would stand there and how to get it there. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
