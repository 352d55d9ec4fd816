import type { ComponentChildren } from 'preact';

interface DialogLinkProps {
  href: string;
  /** For screen readers, where the text alone does not say what it is about. */
  label?: string;
  isDangerous?: boolean;
  children: ComponentChildren;
}

/** A small button whose page opens as a dialog. */
export function DialogLink({ href, label, isDangerous, children }: DialogLinkProps) {
  return (
    <a
      class={`btn btn-sm btn-outline-${isDangerous ? 'danger' : 'secondary'}`}
      href={href}
      data-dialog
      aria-label={label}
    >
      {children}
    </a>
  );
}
