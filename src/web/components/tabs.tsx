export interface Tab {
  label: string;
  href: string;
  isCurrent: boolean;
}

/** Links among pages that belong together. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} class="tab-links">
      <ul class="nav nav-tabs">
        {tabs.map(({ label, href, isCurrent }) => (
          <li key={href} class="nav-item">
            <a
              class={`nav-link${isCurrent ? ' active' : ''}`}
              href={href}
              aria-current={isCurrent ? 'page' : undefined}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
