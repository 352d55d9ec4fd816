import type { ComponentChildren } from 'preact';

interface TabPanel {
  /** Unique on the page. */
  id: string;
  label: string;
  /** The page with this one open: for who runs no scripts. */
  href: string;
  content: ComponentChildren;
}

interface TabPanelsProps {
  /** What they are of, for those who do not see where they stand. */
  label: string;
  /** Id of the open one. */
  current: string;
  panels: readonly TabPanel[];
}

/** Several views of one thing, one of them open; Bootstrap's script changes among them in place. */
export function TabPanels({ label, current, panels }: TabPanelsProps) {
  return (
    <>
      <div class="tab-links">
        <ul class="nav nav-tabs" role="tablist" aria-label={label}>
          {panels.map(({ id, label: name, href }) => (
            <li key={id} class="nav-item" role="presentation">
              <a
                class={`nav-link${id === current ? ' active' : ''}`}
                id={`${id}-tab`}
                role="tab"
                href={href}
                data-bs-toggle="tab"
                data-bs-target={`#${id}`}
                aria-controls={id}
                aria-selected={id === current}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <div class="tab-content">
        {panels.map(({ id, content }) => (
          <div
            key={id}
            class={`tab-pane${id === current ? ' active' : ''}`}
            id={id}
            role="tabpanel"
            aria-labelledby={`${id}-tab`}
          >
            {content}
          </div>
        ))}
      </div>
    </>
  );
}
