import type { ComponentChildren } from 'preact';

export interface FormButtonsProps {
  /** What the first button is called. */
  children: ComponentChildren;
  /** Where the second leads. */
  cancel: string;
}

/** The end of a form: does it, or goes back without it. */
export function FormButtons({ children, cancel }: FormButtonsProps) {
  return (
    <div class="buttons">
      <button type="submit" class="btn btn-primary">
        {children}
      </button>
      <a class="btn btn-outline-secondary" href={cancel}>
        Cancel
      </a>
    </div>
  );
}
