import type { ComponentChildren } from 'preact';

export interface MenuItem {
  label: string;
  href: string;
  /** Opens as a dialog on the page. */
  isDialog?: boolean;
  isDangerous?: boolean;
}

/** The "..." menu of a thing. @param of names the thing for those who do not see where the button stands */
export function Menu({ of, items }: { of: string; items: readonly MenuItem[] }) {
  return (
    <div class="dropdown">
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        data-bs-toggle="dropdown"
        data-bs-strategy="fixed"
        aria-expanded="false"
        aria-label={`More actions for ${of}`}
      >
        <Dots />
      </button>
      <ul class="dropdown-menu dropdown-menu-end">
        {items.map(({ label, href, isDialog, isDangerous }) => (
          <li key={href}>
            <a class={`dropdown-item${isDangerous ? ' text-danger' : ''}`} href={href} data-dialog={isDialog}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Dots(): ComponentChildren {
  return <span aria-hidden="true">…</span>;
}
