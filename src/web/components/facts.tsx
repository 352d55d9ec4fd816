import type { ComponentChildren } from 'preact';

/** Names and values; an entry without a value is left out. */
export function Facts({ of }: { of: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
